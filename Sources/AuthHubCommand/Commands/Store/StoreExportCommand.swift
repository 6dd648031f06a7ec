import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

struct StoreExportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export all records to a new file, encrypted with a passphrase.",
        discussion: """
            The file holds the records as they are now. If a server issues a new refresh token at each refresh, the file is useful \
            only until the next refresh. Use it to move to another machine, not as a backup of accounts in use.
            """)

    @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let passphrase = try ToolPassphrase(passphrase)
        let content: (accounts: [CredentialAccount], unreadable: [CredentialStoreError])
        do {
            content = try await CredentialArchive(path: InputFile.absolute(file)).export(store, prompt: passphrase.prompt)
        } catch {
            throw Failure(archive: error)
        }
        switch console.format {
        case .json:
            console.put([
                "file": .string(file), "records": .number(JSONNumber(Int64(content.accounts.count))),
                "unreadable": .array(content.unreadable.map(\.json)),
            ])
        case .text:
            let records = Words.count(content.accounts.count, "record")
            console.say(TerminalText.quoted("Exported \(records) to \(file). Next: authhub store import \(file.shellWord)"))
        }
        guard let error = content.unreadable.first else { return }
        throw Failure(
            "store_failed", .storeFailed,
            "\(Words.count(content.unreadable.count, "record")) cannot be read and are not in the file: \(error.explanation)",
            hint: "authhub store list")
    }
}
