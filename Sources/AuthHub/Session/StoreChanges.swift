import CredentialStorage
import Platform
import Synchronization

/// Forwards the changes in a store to any number of sessions with one subscription, which exists as long as there are sessions.
final class StoreChanges: Sendable {
    private struct Listener {
        weak let engine: SessionEngine?
    }

    private struct State {
        var listeners: [CredentialAccount.ID: [UInt64: Listener]] = [:]
        var nextListener: UInt64 = 0
        var subscription: Task<Void, Never>?
        /// Counts the subscriptions.
        var turn: UInt64 = 0
        var startedAt: Date?
    }

    /// The maximum number of sessions that re-read the store concurrently after changes were missed.
    private static let mostLooks = 8
    /// The minimum time before subscribing again to a feed that has finished, in seconds.
    private static let pause = 60.0

    private let store: any CredentialChangeFeed
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(_ store: any CredentialChangeFeed, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    deinit {
        state.withLock { $0.subscription }?.cancel()
    }
}

extension StoreChanges {
    /// A registration that lasts as long as this object exists.
    final class Listening: Sendable {
        private let changes: StoreChanges
        private let account: CredentialAccount.ID
        private let number: UInt64

        fileprivate init(_ changes: StoreChanges, _ account: CredentialAccount.ID, _ number: UInt64) {
            self.changes = changes
            self.account = account
            self.number = number
        }

        deinit {
            changes.remove(number, of: account)
        }

        /// Subscribes again if the feed has finished.
        func resume() { changes.subscribeIfDue() }
    }

    /// Registers a session to be notified of changes from now on.
    func listen(for engine: SessionEngine) -> Listening {
        let account = engine.account.id
        let number = state.withLock { state in
            defer { state.nextListener += 1 }
            state.listeners[account, default: [:]][state.nextListener] = Listener(engine: engine)
            return state.nextListener
        }
        subscribeIfDue()
        return Listening(self, account, number)
    }

    private func remove(_ number: UInt64, of account: CredentialAccount.ID) {
        let ended = state.withLock { state -> Task<Void, Never>? in
            state.listeners[account]?[number] = nil
            if state.listeners[account]?.isEmpty == true { state.listeners[account] = nil }
            guard state.listeners.isEmpty else { return nil }
            defer { state.subscription = nil }
            state.startedAt = nil
            return state.subscription
        }
        ended?.cancel()
    }

    /// Under the lock, so that a session that registers concurrently finds the subscription in place and misses no change after its first
    /// read.
    private func subscribeIfDue() {
        let now = now()
        state.withLock { state in
            guard state.subscription == nil else { return }
            let isAgain = state.startedAt != nil
            if let startedAt = state.startedAt, abs(now.timeIntervalSince(startedAt)) < Self.pause { return }
            state.startedAt = now
            state.turn += 1
            state.subscription = Task { [weak self, changes = store.changes(), turn = state.turn] in
                await Self.follow(changes, missedSome: isAgain) { [weak self] in self?.listeners(to: $0) ?? [] }
                self?.ended(turn)
            }
        }
    }

    private func ended(_ turn: UInt64) {
        state.withLock { state in
            if state.turn == turn { state.subscription = nil }
        }
    }

    private func listeners(to change: CredentialChange) -> [SessionEngine] {
        state.withLock { state in
            switch change {
            case .changed(let account, _): state.listeners[account]?.values.compactMap(\.engine) ?? []
            case .missedSome: state.listeners.values.flatMap { $0.values.compactMap(\.engine) }
            }
        }
    }

    /// Notifies sessions until the feed finishes, a few at a time, because after an outage all of them re-read the store.
    private static func follow(
        _ changes: AsyncStream<CredentialChange>, missedSome: Bool, listeners: @escaping @Sendable (CredentialChange) -> [SessionEngine]
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var looks = 0
            func tell(_ change: CredentialChange) async {
                for engine in listeners(change) {
                    if looks < mostLooks { looks += 1 } else { await group.next() }
                    group.addTask { await engine.hear(change) }
                }
            }
            if missedSome { await tell(.missedSome) }
            for await change in changes { await tell(change) }
        }
    }
}
