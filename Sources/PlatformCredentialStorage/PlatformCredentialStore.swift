public import CredentialStorage
import Synchronization

/// The store that a system offers to the programs of one user: the keyring, or encrypted files if there is none.
///
/// The first write (or lease) checks which of them is available, in this order, and records the choice in the service's data folder. From
/// then on, all processes use that store: if it is locked or missing, its error says so, and nothing is stored in a weaker place.
/// ``report()`` shows the state of each. Encrypted files from before choices were recorded count as chosen.
public struct PlatformCredentialStore: Sendable {
    let choice: StoreChoiceFile
    /// Records in this folder mean that encrypted files were chosen before choices were recorded.
    let olderFolder: String
    package let candidates: [StoreCandidate]
    /// Asked for by name, whatever was recorded.
    let wanted: CredentialStoreKind?
    /// Taken for the choice where none is recorded, in place of looking for one.
    let presumed: CredentialStoreKind?
    private let opened = OpenedStores()

    /// - Parameters:
    ///   - folder: The service's data folder, an absolute path.
    ///   - candidates: In the order they are looked at.
    ///   - wanted: The one to use whatever was recorded. It is recorded where nothing was.
    ///   - presumed: Taken for the choice where none is recorded, in place of looking for one.
    package init(
        folder: String, candidates: [StoreCandidate], wanted: CredentialStoreKind? = nil, presumed: CredentialStoreKind? = nil
    ) {
        choice = StoreChoiceFile(path: "\(folder)/store-choice")
        olderFolder = "\(folder)/credentials"
        self.candidates = candidates
        self.wanted = wanted
        self.presumed = presumed
    }
}

extension PlatformCredentialStore {
    /// Returns which store is used, and the state of each. Checks each of them without changing anything.
    @concurrent
    public func report() async throws(CredentialStoreError) -> StoreChoiceReport {
        try choice.checkFolder()
        var steps: [StoreChoiceReport.Step] = []
        for candidate in candidates {
            steps.append(
                StoreChoiceReport.Step(
                    kind: candidate.kind, isAutomatic: candidate.isAutomatic, location: candidate.location,
                    standing: await candidate.look()))
        }
        if let wanted { return StoreChoiceReport(chosen: wanted, origin: .named, steps: steps) }
        if let decision = try choice.read() {
            return StoreChoiceReport(chosen: decision.kind, movingFrom: decision.movingFrom, origin: .recorded, steps: steps)
        }
        if try hasOlderRecords() { return StoreChoiceReport(chosen: .encryptedFile, origin: .foundRecords, steps: steps) }
        if let presumed { return StoreChoiceReport(chosen: presumed, origin: .named, steps: steps) }
        return StoreChoiceReport(chosen: try? Self.next(in: steps), origin: .next, steps: steps)
    }

    /// The store that is asked for or was chosen; nil where nothing was yet. Reads one small file.
    package func decision() throws(CredentialStoreError) -> StoreDecision? {
        try choice.checkFolder()
        if let wanted { return honouringMove(wanted) }
        return try recordedDecision() ?? presumed.map { StoreDecision($0) }
    }

    /// What is asked for; both stores while records are moved out of it or into it.
    func honouringMove(_ wanted: CredentialStoreKind) -> StoreDecision {
        guard let recorded = try? choice.read(), let source = recorded.movingFrom, [recorded.kind, source].contains(wanted) else {
            return StoreDecision(wanted)
        }
        return recorded
    }

    /// What was chosen, whatever is asked for.
    package func recordedDecision() throws(CredentialStoreError) -> StoreDecision? {
        if let decision = try choice.read() { return decision }
        return try hasOlderRecords() ? StoreDecision(.encryptedFile) : nil
    }

    /// The same store by its own type.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` where this program does not have it.
    package func store(of kind: CredentialStoreKind) throws(CredentialStoreError) -> any CredentialInventory {
        guard let candidate = candidates.first(where: { $0.kind == kind }) else {
            throw CredentialStoreError(
                .unavailable,
                "the credentials are stored in “\(kind)”, which this program does not support on this system; use the program that stored them"
            )
        }
        return opened.store(of: candidate)
    }

    func store(of decision: StoreDecision) throws(CredentialStoreError) -> any CredentialInventory {
        let store = try store(of: decision.kind)
        guard let source = decision.movingFrom else { return store }
        return MovingStore(source: try self.store(of: source), target: store)
    }

    /// The store that was chosen; nil where nothing was yet.
    func standing() throws(CredentialStoreError) -> (any CredentialInventory)? {
        guard let decision = try decision() else { return nil }
        return try store(of: decision)
    }

    func hasOlderRecords() throws(CredentialStoreError) -> Bool {
        try FileSystem.names(in: olderFolder).contains { RecordName(fileName: $0) != nil }
    }
}

/// Stores that were opened: each keeps its key and connection for the next use.
private final class OpenedStores: Sendable {
    private let stores = Mutex<[CredentialStoreKind: any CredentialInventory]>([:])

    func store(of candidate: StoreCandidate) -> any CredentialInventory {
        stores.withLock { stores in
            if let store = stores[candidate.kind] { return store }
            let store = candidate.open()
            stores[candidate.kind] = store
            return store
        }
    }
}
