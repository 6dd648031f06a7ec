import AuthHubPrimitives
import Synchronization

/// The keys that a store knows: the cached key of its source, and keys that it learned during a change of the key.
final class RecordKeys: Sendable {
    private struct State {
        var own: SealingKey?
        var learned: [KeyIdentifier: SealingKey] = [:]
        var lineage = 0
        var answers = 0
        var failure: CredentialStoreError?
    }

    private let source: any StoreKeySource
    private let state = Mutex(State())
    /// A lock for asking the source, so that the user is not asked the same question twice at the same time.
    private let asking = Mutex(())
    private let threads = BlockingCalls(named: "AuthHub store key", concurrent: false)

    init(source: any StoreKeySource) {
        self.source = source
    }
}

extension RecordKeys {
    /// The source's key, if it was requested before.
    var own: SealingKey? { state.withLock(\.own) }
    /// All known keys, the source's key first.
    var all: [SealingKey] { state.withLock { ($0.own.map { [$0] } ?? []) + $0.learned.values } }
    /// How often the source has responded.
    var answers: Int { state.withLock(\.answers) }
    /// A number that changes if the source returns a different key than before and no known change of the key explains it.
    var lineage: Int { state.withLock(\.lineage) }

    subscript(id: KeyIdentifier) -> SealingKey? {
        state.withLock { $0.own?.id == id ? $0.own : $0.learned[id] }
    }

    func learn(_ key: SealingKey) {
        state.withLock { $0.learned[key.id] = key }
    }

    /// Requests the key from the source, unless the source has responded in the meantime. May block for a long time.
    ///
    /// - Parameters:
    ///   - answers: How often the source had responded when the key was found to be missing; if nil, the key is requested in any case.
    /// - Returns: nil if there is no key and none should be created.
    @discardableResult
    func ask(since answers: Int?, creatingIfMissing: Bool = false) throws(CredentialStoreError) -> SealingKey? {
        try asking.withLock { _ throws(CredentialStoreError) in
            let (own, latest, failure) = state.withLock { ($0.own, $0.answers, $0.failure) }
            if let answers, latest > answers, own != nil || failure != nil || !creatingIfMissing {
                if let failure { throw failure }
                return own
            }
            do throws(CredentialStoreError) {
                let key = try source.key(creatingIfMissing: creatingIfMissing).map { secret throws(CredentialStoreError) in
                    try SealingKey(secret)
                }
                keep(key, failure: nil)
                return key
            } catch {
                // A damaged key does not mean that the records are damaged: they open again with the right key.
                let failure = error.code == .corrupt ? CredentialStoreError(.keyMissing, error.explanation, underlying: error) : error
                keep(nil, failure: failure)
                throw failure
            }
        }
    }

    private func keep(_ key: SealingKey?, failure: CredentialStoreError?) {
        state.withLock { state in
            state.answers += 1
            state.failure = failure
            guard let key, key.id != state.own?.id else { return }
            if let own = state.own {
                if state.learned[key.id] == nil {
                    state.lineage += 1
                    state.learned = [:]
                } else {
                    state.learned[own.id] = own
                }
            }
            state.own = key
        }
    }

    /// Runs a call that may block for a long time on a separate thread.
    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        try await threads.run(work)
    }
}
