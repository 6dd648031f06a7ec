import Synchronization

/// A timer that runs actions when they are due, with a single sleeping task for all of a chain or transport.
///
/// A timeout that is noticed much too late says nothing about the server: the machine was asleep, or the process was stopped, and the
/// response may be in the socket, or may be sent again once the network is back. Such an action gets a grace period first.
///
/// Most limits are never reached. A task for each of them would keep a system timer until the limit, even if the request ended long before;
/// an entry in a table leaves nothing behind.
package final class LoadTimer: Sendable {
    package typealias Action = @Sendable () -> Void

    private struct Entry: Sendable {
        var instant: LoadClock.Instant
        let grace: Duration?
        let action: Action
    }

    private struct Sleeper: Sendable {
        let key: UInt64
        let until: LoadClock.Instant
        let task: Task<Void, Never>
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var nextKey: UInt64 = 0
        var sleeper: Sleeper?

        mutating func makeKey() -> UInt64 {
            defer { nextKey += 1 }
            return nextKey
        }
    }

    private let clock: LoadClock
    private let state = Mutex(State())

    package init(clock: LoadClock) {
        self.clock = clock
    }

    deinit {
        state.withLock { $0.sleeper?.task.cancel() }
    }

    /// The grace period of a timeout that is noticed more than ``lateness`` after it was due.
    package static let grace = Duration.seconds(10)
    private static let lateness = Duration.seconds(1)

    static func isLate(_ instant: LoadClock.Instant, at now: LoadClock.Instant) -> Bool { instant + lateness < now }

    /// Schedules an action.
    ///
    /// - Parameters:
    ///   - instant: The time to run the action; if it is in the past, the action runs immediately.
    ///   - grace: The time the action waits if it is noticed late; nil to run it immediately.
    ///   - action: A short action that does not block.
    /// - Returns: A key for ``cancel(_:)``.
    package func at(_ instant: LoadClock.Instant, graceIfLate grace: Duration? = nil, _ action: @escaping Action) -> UInt64 {
        let (key, obsolete) = state.withLock { state -> (UInt64, Task<Void, Never>?) in
            let key = state.makeKey()
            state.entries[key] = Entry(instant: instant, grace: grace, action: action)
            if let sleeper = state.sleeper, sleeper.until <= instant { return (key, nil) }
            defer { state.sleeper = sleeper(until: instant, key: state.makeKey()) }
            return (key, state.sleeper?.task)
        }
        obsolete?.cancel()
        return key
    }

    /// Cancels an action unless it has already started.
    package func cancel(_ key: UInt64) {
        // The sleeping task continues and finds out when it wakes, which is cheaper than waking it.
        let entry = state.withLock { $0.entries.removeValue(forKey: key) }
        withExtendedLifetime(entry) {}
    }

    private func sleeper(until instant: LoadClock.Instant, key: UInt64) -> Sleeper {
        // Detached, because it works for later requests and must not inherit anything from the request that happens to be first.
        let task = Task.detached { [weak self, clock] in
            try? await clock.sleep(until: instant)
            self?.wake(key)
        }
        return Sleeper(key: key, until: instant, task: task)
    }

    private func wake(_ key: UInt64) {
        let now = clock.now
        let due = state.withLock { state -> [Entry] in
            // A task that was replaced may still wake up.
            guard state.sleeper?.key == key else { return [] }
            var due: [UInt64: Entry] = [:]
            for (key, entry) in state.entries where entry.instant <= now {
                if let grace = entry.grace, Self.isLate(entry.instant, at: now) {
                    state.entries[key]?.instant = now + grace
                } else {
                    due[key] = state.entries.removeValue(forKey: key)
                }
            }
            state.sleeper = state.entries.values.map(\.instant).min().map { sleeper(until: $0, key: state.makeKey()) }
            return due.values.sorted { $0.instant < $1.instant }
        }
        for entry in due { entry.action() }
    }
}
