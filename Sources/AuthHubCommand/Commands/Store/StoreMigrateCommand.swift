import ArgumentParser
import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

struct StoreMigrateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move all records from one store to another and use the new store from then on.",
        discussion: """
            Each record is written to the new store, read back, and only then deleted from the old one. Other commands still find every \
            account, and wait while the account that they need is moved. If the command is interrupted, nothing is lost; run it again to continue. Stores are \
            secret-service, file, plain and postgresql:CONNECTION.
            """)

    @Argument(help: ArgumentHelp("The store to move the records from.", valueName: "from"), completion: .list(StoreChoice.namedWords))
    var source: String

    @Argument(help: ArgumentHelp("The store to move the records to.", valueName: "to"), completion: .list(StoreChoice.namedWords))
    var target: String

    @Flag(help: "Replace other records of the same accounts in the new store without asking.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for word in [source, target] {
            guard StoreChoice(word: word) != nil, word != "auto" else {
                throw ValidationError("Name the store: secret-service, file, plain or postgresql:CONNECTION.")
            }
            try StoreOptions.check(word)
        }
        guard source != target else { throw ValidationError("The source and the target are the same store.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let migration = try StoreMigration(from: source, to: target)
        var report = try await migration.perform(replacingOthers: yes)
        let others = report.keptCount
        if others > 0, !yes {
            guard
                try await Confirmation(console: console).asks(
                    "In \(shownTarget), \(Words.count(others, "record")) of the same accounts differ from those in \(shownSource). Replace them?"
                )
            else {
                tell(report, console)
                throw Failure(
                    "store_conflict", .failed,
                    "\(Words.count(others, "record")) already existed in \(shownTarget) with other contents; the records in both stores were kept: \(report.keptNames)",
                    hint: "authhub store migrate \(shownSource) \(shownTarget) --yes replaces those in \(shownTarget)")
            }
            let before = report
            report = try await migration.perform(replacingOthers: true)
            report.entries.insert(contentsOf: before.entries.filter(\.hasArrived), at: 0)
        }
        tell(report, console)
        if let failure = report.failure { throw failure }
        if console.format == .text, migration.isChoice {
            console.say("The store is now “\(shownTarget)”. \(CredentialStoreKind(named: target).strength)")
        }
        if let advice = migration.advice { console.say(advice) }
    }

    private var shownSource: String { StoreChoice.shown(source) }
    private var shownTarget: String { StoreChoice.shown(target) }

    private func tell(_ report: CredentialTransferReport, _ console: Console) {
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.say("Moved \(Words.count(report.arrivedCount, "record")) from \(shownSource) to \(shownTarget)")
        }
    }
}
