import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

struct StoreImportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import records from a file that \"authhub store export\" wrote.",
        discussion: "Accounts that are already signed in on this machine keep their tokens, which may be newer, unless you add --yes.")

    @Argument(help: ArgumentHelp("The file to read.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Replace the records of accounts that already exist on this machine.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let passphrase = try ToolPassphrase(passphrase)
        let report: CredentialTransferReport
        do {
            report = try await CredentialArchive(path: InputFile.absolute(file)).importRecords(
                into: store, replacesOthers: yes, attempts: passphrase.attempts, prompt: passphrase.prompt)
        } catch {
            throw Failure(archive: error)
        }
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.say("Imported \(Words.count(report.arrivedCount, "record")) from \(TerminalText.quoted(file))")
        }
        let others = report.keptCount
        guard others == 0 else {
            throw Failure(
                "store_conflict", .failed,
                "\(Words.count(others, "record")) already existed with other contents and were kept: \(report.keptNames)",
                hint: "add --yes to replace them")
        }
        if let failure = report.failure { throw failure }
    }
}
