import Synchronization

/// A clock that stands still until it is told to go on: tests of time limits without waiting.
///
///     let clock = TestClock()
///     async let outcome = attempt.authenticate(request)   // sleeps on the clock
///     await clock.untilAsleep()
///     clock.advance(by: .seconds(300))
public final class TestClock: Clock, Sendable {
    /// A point in the clock's own time, which begins at zero.
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public init(offset: Duration) {
            self.offset = offset
        }

        public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        public func duration(to other: Self) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Watcher: Sendable {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var nextID = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Instant { state.withLock(\.now) }
    public var minimumResolution: Duration { .zero }

    /// How many tasks sleep on this clock now.
    public var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// Moves the time on and wakes everyone whose time has come, in the order of their deadlines.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due.sorted(by: { $0.deadline < $1.deadline }) { sleeper.continuation.resume(returning: true) }
    }

    /// Returns as soon as at least so many tasks sleep on this clock.
    public func untilAsleep(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// - Throws: `CancellationError` where the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        let isWoken = await withTaskCancellationHandler {
            await withCheckedContinuation { fallAsleep(id, until: deadline, $0) }
        } onCancel: {
            wake(id)
        }
        guard isWoken else { throw CancellationError() }
    }

    private func fallAsleep(_ id: Int, until deadline: Instant, _ continuation: CheckedContinuation<Bool, Never>) {
        let (answer, watchers): (Bool?, [Watcher]) = state.withLock { state in
            guard state.cancelled.remove(id) == nil else { return (false, []) }
            guard deadline > state.now else { return (true, []) }
            state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
            let count = state.sleepers.count
            let reached = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return (nil, reached)
        }
        if let answer { continuation.resume(returning: answer) }
        for watcher in watchers { watcher.continuation.resume() }
    }

    private func wake(_ id: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(returning: false)
    }
}
