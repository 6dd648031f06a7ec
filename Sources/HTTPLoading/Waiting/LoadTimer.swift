import Synchronization

/// Runs actions when their time has come, with one sleeping task for all of a chain, or of a transport.
///
/// Most limits are never reached. A task for each of them would leave the system's timer behind until the limit is over, even where the
/// load has long ended; an entry in a table leaves nothing.
package final class LoadTimer: Sendable {
    package typealias Action = @Sendable () -> Void

    private struct Entry: Sendable {
        let instant: LoadClock.Instant
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

    /// - Parameters:
    ///   - instant: When the action is to run; at once, if that is over.
    ///   - action: Short, and waits for nothing.
    /// - Returns: For ``cancel(_:)``.
    package func at(_ instant: LoadClock.Instant, _ action: @escaping Action) -> UInt64 {
        let (key, obsolete) = state.withLock { state -> (UInt64, Task<Void, Never>?) in
            let key = state.makeKey()
            state.entries[key] = Entry(instant: instant, action: action)
            if let sleeper = state.sleeper, sleeper.until <= instant { return (key, nil) }
            defer { state.sleeper = sleeper(until: instant, key: state.makeKey()) }
            return (key, state.sleeper?.task)
        }
        obsolete?.cancel()
        return key
    }

    /// The action does not run any more, unless it has begun.
    package func cancel(_ key: UInt64) {
        // The sleeper sleeps on: it finds out when it wakes, which costs less than to wake it.
        let entry = state.withLock { $0.entries.removeValue(forKey: key) }
        withExtendedLifetime(entry) {}
    }

    private func sleeper(until instant: LoadClock.Instant, key: UInt64) -> Sleeper {
        // Detached: it works for loads to come, and inherits nothing of the one that happens to be first.
        let task = Task.detached { [weak self, clock] in
            try? await clock.sleep(until: instant)
            self?.wake(key)
        }
        return Sleeper(key: key, until: instant, task: task)
    }

    private func wake(_ key: UInt64) {
        let now = clock.now
        let due = state.withLock { state -> [Entry] in
            // One that was replaced may wake all the same.
            guard state.sleeper?.key == key else { return [] }
            let due = state.entries.filter { $0.value.instant <= now }
            for key in due.keys { state.entries[key] = nil }
            state.sleeper = state.entries.values.map(\.instant).min().map { sleeper(until: $0, key: state.makeKey()) }
            return due.values.sorted { $0.instant < $1.instant }
        }
        for entry in due { entry.action() }
    }
}
