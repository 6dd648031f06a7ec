import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

struct StoreRekeyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Seals the records anew, with a key from another place or a new key beside them.",
        discussion: """
            Other commands go on meanwhile; where it is interrupted, the same command goes on. Where the key can come from:
              own-key-file           a new file beside the records (guards copies of the records alone)
              passphrase             a file that opens with a passphrase; commands find it by AUTHHUB_PASSPHRASE_FILE, or ask
              secret-service         an item in the keyring of the desktop
              key-file               the file that AUTHHUB_KEY_FILE names
              credentials-directory  authhub.key in systemd's $CREDENTIALS_DIRECTORY
            Where the key has a passphrase already, "passphrase" gives it another one, and leaves the records as they are.

            Records in PostgreSQL are sealed anew with the key that AUTHHUB_KEY_FILE names, from those that AUTHHUB_OLDER_KEY_FILES names, with \
            colons between: authhub store rekey key-file --store postgresql:CONNECTION
            """)

    @Argument(help: ArgumentHelp("Where the new key comes from.", valueName: "source"))
    var key: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    private static let choices: [StoreKeyChoice] = [.ownKeyFile, .passphrase, .secretService, .keyFile, .credentialsDirectory]

    func validate() throws {
        guard Self.choices.contains(StoreKeyChoice(rawValue: key)) else {
            throw ValidationError("The key comes from \(Self.choices.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let tool: ToolStore
        do {
            tool = try ToolStore(storage.choice)
        } catch {
            throw Failure(error)
        }
        if tool.database != nil { return try await reencrypt(tool, console) }
        if let kind = try? tool.platform.decision()?.kind, storage.choice != nil, kind != .encryptedFile {
            throw Failure.usage("“\(kind.name)” has no key of its own; encrypted files have", hint: "authhub help store rekey")
        }
        try await rekeyFiles(console)
    }

    private func rekeyFiles(_ console: Console) async throws(Failure) {
        let choice = StoreKeyChoice(rawValue: key)
        let passphrase = try ToolPassphrase(forNewKey: passphrase)
        let count: Int?
        let isSame: Bool
        do {
            let files = try ToolStore(nil, passphrase: passphrase).files
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
                failure.code, failure.exit, "nothing was sealed anew: \(error.explanation)",
                hint: "put that right and run the same command again; authhub help store rekey")
        }
        switch console.format {
        case .json: console.put(["key": .string(key), "records": .number(JSONNumber(Int64(count ?? 0)))])
        case .text:
            switch count {
            case nil: console.say("The passphrase was changed; the records stay as they are.")
            case 0 where isSame:
                console.say(
                    "The key comes from \(key) already, and stays the same. For a new one: authhub store rekey own-key-file; authhub store rekey \(key)"
                )
            case let count?: console.say("Sealed \(Words.count(count, "record")) anew. \(choice.strength)")
            }
        }
    }

    /// Re-encrypts the records in the database, while others read and write.
    private func reencrypt(_ tool: ToolStore, _ console: Console) async throws(Failure) {
        guard let source = ToolStore.sharedKeySource, key == source.rawValue else {
            throw Failure.usage(
                "records in the database are sealed with a key that all machines share, from a file", hint: "authhub help store rekey")
        }
        let count: (done: Int, remaining: Int)
        do {
            count = try await tool.reencrypt()
        } catch {
            throw Failure(error)
        }
        switch console.format {
        case .json: console.put(["key": .string(key), "records": .number(JSONNumber(Int64(count.done)))])
        case .text: console.say("Sealed \(Words.count(count.done, "record")) anew.")
        }
        guard count.remaining == 0 else {
            throw Failure(
                "store_failed", .storeFailed,
                "\(Words.count(count.remaining, "record")) keep another key: they do not open, or are being written",
                hint:
                    "name the keys they have in \(ToolStore.olderKeysVariable), and run the same command again; authhub store list names them"
            )
        }
        if console.format == .text { console.say("The older keys are not needed any more, but for backups of the database.") }
    }
}
