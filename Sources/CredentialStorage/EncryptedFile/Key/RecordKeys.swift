import AuthHubPrimitives
import Synchronization

/// The keys that a store knows: that of its source, kept for the next use, and those it learned of in a change of the key.
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
    /// Held by the one who asks the source: a person is not asked the same thing twice at once.
    private let asking = Mutex(())
    private let threads = BlockingCalls(named: "AuthHub store key", concurrent: false)

    init(source: any StoreKeySource) {
        self.source = source
    }
}

extension RecordKeys {
    /// The source's key, if it was asked for.
    var own: SealingKey? { state.withLock(\.own) }
    /// All that are known, the source's first.
    var all: [SealingKey] { state.withLock { ($0.own.map { [$0] } ?? []) + $0.learned.values } }
    /// How often the source has answered.
    var answers: Int { state.withLock(\.answers) }
    /// Changes when the source's key turned out to be another one than before, without a change of the key that is known of.
    var lineage: Int { state.withLock(\.lineage) }

    subscript(id: KeyIdentifier) -> SealingKey? {
        state.withLock { $0.own?.id == id ? $0.own : $0.learned[id] }
    }

    func learn(_ key: SealingKey) {
        state.withLock { $0.learned[key.id] = key }
    }

    /// Asks the source, which may block for long, unless it has answered since.
    ///
    /// - Parameters:
    ///   - answers: How often it had answered when the key was found missing; nil: it is asked in any case.
    /// - Returns: Nil where there is no key and none was to be made.
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
                // A damaged key says nothing about the records: they open again with the right one.
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

    /// Runs what may block for long on a thread of its own.
    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        try await threads.run(work)
    }
}
