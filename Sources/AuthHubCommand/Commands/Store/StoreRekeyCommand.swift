import ArgumentParser
import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

struct StoreRekeyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Re-encrypt the records with a key from another source, or with a new key file.",
        discussion: """
            Other commands keep working. If the command is interrupted, run it again to continue. The sources of the key:
              own-key-file           a new file next to the records, which protects
                                     only copies of the records themselves
              passphrase             a file encrypted with a passphrase, which commands
                                     read from AUTHHUB_PASSPHRASE_FILE or ask for
              secret-service         an item in the desktop's keyring
              key-file               the file named by AUTHHUB_KEY_FILE
              credentials-directory  authhub.key in systemd's $CREDENTIALS_DIRECTORY

            If the key already has a passphrase, "passphrase" changes the passphrase and leaves the records as they are.

            Records in PostgreSQL are re-encrypted with the key in AUTHHUB_KEY_FILE; AUTHHUB_OLDER_KEY_FILES names the previous keys, \
            separated by colons: authhub store rekey key-file --store postgresql:CONNECTION
            """)

    @Argument(help: ArgumentHelp("The source of the new key.", valueName: "source"), completion: .list(Self.choices.map(\.rawValue)))
    var key: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    private static let choices: [StoreKeyChoice] = [.ownKeyFile, .passphrase, .secretService, .keyFile, .credentialsDirectory]

    func validate() throws {
        guard Self.choices.contains(StoreKeyChoice(rawValue: key)) else {
            throw ValidationError("The source must be one of \(Self.choices.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let tool = try Failure.translating { try ToolStore(storage.choice) }
        if tool.database != nil { return try await reencrypt(tool, console) }
        if let kind = try? tool.platform.decision()?.kind, storage.choice != nil, kind != .encryptedFile {
            throw Failure.usage("“\(kind.name)” has no key of its own; only encrypted files have one", hint: "authhub help store rekey")
        }
        try await rekeyFiles(console)
    }

    private func rekeyFiles(_ console: Console) async throws(Failure) {
        let choice = StoreKeyChoice(rawValue: key)
        let passphrase = try ToolPassphrase(forNewKey: passphrase)
        let count: Int?
        let isSame: Bool
        do {
            let files = try ToolStore(nil, asking: passphrase.asking).files
            isSame = try files.key.choice() == choice && choice != .ownKeyFile
            if choice == .passphrase, isSame {
                try await files.changePassphrase()
                count = nil
            } else {
                count = try await files.rekey(to: choice)
            }
        } catch {
            let failure = Failure(error)
            guard error.code == .unavailable else { throw failure }
            throw Failure(
                failure.code, failure.exit, "nothing was re-encrypted: \(error.explanation)",
                hint: "fix the problem and run the same command again; see: authhub help store rekey")
        }
        switch console.format {
        case .json: console.put(["key": .string(key), "records": .number(JSONNumber(Int64(count ?? 0)))])
        case .text:
            switch count {
            case nil: console.say("The passphrase was changed; the records are unchanged.")
            case 0 where isSame:
                console.say(
                    "The key already comes from \(key) and stays the same. To get a new key, run these commands: authhub store rekey own-key-file; authhub store rekey \(key)"
                )
            case let count?: console.say("Re-encrypted \(Words.count(count, "record")). \(choice.strength)")
            }
        }
    }

    /// Re-encrypts the records in the database, while others read and write.
    private func reencrypt(_ tool: ToolStore, _ console: Console) async throws(Failure) {
        guard let source = ToolStore.sharedKeySource, key == source.rawValue else {
            throw Failure.usage(
                "records in the database are encrypted with a key file that all machines share", hint: "authhub help store rekey")
        }
        let count = try await Failure.translating { try await tool.reencrypt() }
        switch console.format {
        case .json: console.put(["key": .string(key), "records": .number(JSONNumber(Int64(count.done)))])
        case .text: console.say("Re-encrypted \(Words.count(count.done, "record")).")
        }
        guard count.remaining == 0 else {
            throw Failure(
                "store_failed", .storeFailed,
                "\(Words.count(count.remaining, "record")) still use another key: they cannot be decrypted or are being written",
                hint:
                    "name their keys in \(ToolStore.olderKeysVariable), and run the same command again; authhub store list shows which keys are missing"
            )
        }
        if console.format == .text { console.say("The older keys are no longer needed, except for backups of the database.") }
    }
}
