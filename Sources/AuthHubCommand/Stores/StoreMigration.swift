import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

/// A migration of all records from one store to another, including the recorded choice.
struct StoreMigration: Sendable {
    private let tool: ToolStore
    private let source: any CredentialInventory
    private let target: any CredentialInventory
    private let kinds: (source: CredentialStoreKind, target: CredentialStoreKind)?
    /// Whether the new store becomes the chosen one.
    let isChoice: Bool
    /// What the user must do so that it is used; nil if nothing.
    let advice: String?

    /// Creates a migration.
    ///
    /// - Parameters: The stores, in words as in `--store`.
    init(from source: String, to target: String) throws(Failure) {
        do {
            tool = try ToolStore(nil)
            self.source = try Self.open(source, tool)
            self.target = try Self.open(target, tool)
            guard case .kind(let old)? = StoreChoice(word: source), case .kind(let new)? = StoreChoice(word: target) else {
                kinds = nil
                isChoice = false
                advice =
                    try Self.isRecorded(target, tool)
                    ? nil : "Name the new store for each command: --store, or AUTHHUB_STORE=\(StoreChoice.shown(target))"
                return
            }
            kinds = (old, new)
            let recorded = try tool.platform.recordedDecision()
            isChoice = recorded.map { $0.kind == old || $0.movingFrom == old } ?? true
            advice = tool.isNamedByVariable && isChoice ? "AUTHHUB_STORE still names another store: unset it, or set it to \(target)" : nil
        } catch {
            throw Failure(error)
        }
    }

    /// Returns whether commands use that store by default.
    private static func isRecorded(_ word: String, _ tool: ToolStore) throws(CredentialStoreError) -> Bool {
        guard case .kind(let kind)? = StoreChoice(word: word), !tool.isNamedByVariable else { return false }
        return try tool.platform.recordedDecision()?.kind == kind
    }

    private static func open(_ word: String, _ tool: ToolStore) throws(CredentialStoreError) -> any CredentialInventory {
        switch StoreChoice(word: word) {
        case .kind(let kind)?: try tool.platform.store(of: kind)
        case let choice: try ToolStore(choice).store()
        }
    }

    func perform(replacingOthers: Bool) async throws(Failure) -> CredentialTransferReport {
        do throws(CredentialStoreError) {
            // The user may be asked to unlock either store, and decline: then nothing has changed.
            try await target.prepareToWrite(for: CredentialAccount(server: "authhub:test", clientID: "authhub"))
            let inventory = try await source.inventory(includingUnlisted: true)
            // Stop at records that may become readable again, because they must not be left behind.
            if let error = inventory.unreadable.first(where: { !$0.asksForReplacement }) { throw error }
            if isChoice, let kinds { try await tool.platform.beginMoving(from: kinds.source, to: kinds.target) }
            var report = try await CredentialTransfer(replacesOthers: replacingOthers).move(from: source, to: target)
            // A process that chose its store before the move was recorded may have written to the old store since.
            while report.isComplete, try await !source.inventory(includingUnlisted: true).accounts.isEmpty {
                let more = try await CredentialTransfer(replacesOthers: replacingOthers).move(from: source, to: target)
                report.entries += more.entries
                report.unreadable = more.unreadable
            }
            if report.isComplete, isChoice, let kinds { try await tool.platform.endMoving(to: kinds.target) }
            return report
        } catch {
            throw Failure(error)
        }
    }
}
