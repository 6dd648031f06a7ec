import ArgumentParser
import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

struct StoreTestCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test the store with a temporary record and show how long each step takes.",
        discussion: """
            Writes, reads, checks that an old record cannot replace a newer one, holds a lease, and deletes. No account is touched, and \
            nothing is left except a key, if there was none. If no store is chosen yet, the one that would be chosen is tested but not \
            chosen.
            """)

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let (kind, store) = try await Failure.translating { try await Self.candidate(storage) }
        let steps = await StoreTrial(store: store).perform()
        switch console.format {
        case .json: console.put(["store": .string(kind.name), "steps": .array(steps.map(\.json))])
        case .text:
            var table = Table(columns: [.init(title: "STEP", tints: [.bold]), .init(title: "TOOK", isRightAligned: true), .init(title: "")])
            table.rows = steps.map { [$0.name, $0.words, $0.problem == nil ? "ok" : "failed"] }
            console.put(table.rendered(console.dataStyle, width: console.columns))
        }
        if let error = steps.last?.problem { throw Failure(error) }
        if console.format == .text { console.say("The store “\(kind)” works.") }
    }

    /// Returns a store to test. It bypasses the choice of a store, because a write would make that choice.
    private static func candidate(
        _ options: StoreOptions
    ) async throws(CredentialStoreError) -> (CredentialStoreKind, any CredentialInventory) {
        let tool = try ToolStore(options.choice)
        guard tool.database == nil else { return (.postgreSQL, try tool.store()) }
        let report = try await tool.platform.report()
        guard let kind = report.chosen else {
            let reasons = report.steps.compactMap { step in step.standing.reason.map { "\(step.kind): \($0.explanation)" } }
            throw CredentialStoreError(.unavailable, "no store is available; \(reasons.joined(separator: "; "))")
        }
        return (kind, try tool.platform.store(of: kind))
    }
}
