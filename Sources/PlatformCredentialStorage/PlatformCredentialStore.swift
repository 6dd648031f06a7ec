public import CredentialStorage
import Synchronization

/// The current user's store on this system: the desktop's keyring, or encrypted files if there is no keyring.
///
/// The first write (or lease) checks which of the two is available, in this order, and records the choice in the service's data folder.
/// From then on, all processes use that store. If the chosen store is later locked or missing, operations throw an error that says so;
/// nothing is stored in a less secure place. If the data folder has encrypted files but no recorded choice, encrypted files count as
/// chosen.
public struct PlatformCredentialStore: Sendable {
    let choice: StoreChoiceFile
    /// The folder whose records show that encrypted files were chosen before choices were recorded.
    let olderFolder: String
    package let candidates: [StoreCandidate]
    /// The store that was requested by name, regardless of the recorded choice.
    let wanted: CredentialStoreKind?
    /// The store that counts as chosen if none is recorded, instead of a search.
    let presumed: CredentialStoreKind?
    private let opened = OpenedStores()

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - folder: The service's data folder, an absolute path.
    ///   - candidates: The stores, in the order in which they are checked.
    ///   - wanted: The store to use, regardless of the recorded choice. It is recorded if no choice was.
    ///   - presumed: The store that counts as chosen if none is recorded, instead of a search.
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

    /// Returns the store that is requested or was chosen; nil if none was yet. Reads one small file.
    package func decision() throws(CredentialStoreError) -> StoreDecision? {
        try choice.checkFolder()
        if let wanted { return honouringMove(wanted) }
        return try recordedDecision() ?? presumed.map { StoreDecision($0) }
    }

    /// Returns the requested store; both stores while records are moved out of it or into it.
    func honouringMove(_ wanted: CredentialStoreKind) -> StoreDecision {
        guard let recorded = try? choice.read(), let source = recorded.movingFrom, [recorded.kind, source].contains(wanted) else {
            return StoreDecision(wanted)
        }
        return recorded
    }

    /// Returns the store that was chosen, regardless of the requested one.
    package func recordedDecision() throws(CredentialStoreError) -> StoreDecision? {
        if let decision = try choice.read() { return decision }
        return try hasOlderRecords() ? StoreDecision(.encryptedFile) : nil
    }

    /// Returns the store with its concrete type.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if this program does not have it.
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

    /// Returns the store that was chosen; nil if none was yet.
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
