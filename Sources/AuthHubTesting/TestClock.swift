import Synchronization

/// A clock whose time advances only when the test advances it, so that tests can cover timeouts without waiting.
///
///     let clock = TestClock()
///     async let outcome = attempt.authenticate(request)   // sleeps on the clock
///     await clock.untilAsleep()
///     clock.advance(by: .seconds(300))
public final class TestClock: Clock, Sendable {
    /// A point in the clock's own time, which starts at zero.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start at zero.
        package var offset: Duration

        /// Creates an instant at a time since the clock's start.
        package init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the instant that is later by a duration, without changing any clock.
        public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        /// Returns the duration from this instant to another; negative if the other is earlier.
        public func duration(to other: Self) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var nextID = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
        var watchers = CountWatchers()
    }

    private let state = Mutex(State())

    /// Creates a clock at instant zero.
    public init() {}

    /// The current instant, which changes only when the test advances the clock.
    public var now: Instant { state.withLock(\.now) }
    /// The resolution of the clock, which is zero because its time is not measured.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks that are sleeping on this clock.
    package var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// Advances the time by a duration, and wakes all tasks whose deadline has passed, in the order of their deadlines.
    public func advance(by duration: Duration) {
        move { _ in duration }
    }

    /// Advances the time to the earliest deadline of a sleeping task, and wakes that task.
    ///
    /// - Returns: The time that has passed; nil if no task is sleeping, in which case the time does not change.
    @discardableResult
    package func advanceToNextSleeper() -> Duration? {
        move { state in state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) } }
    }

    /// Waits until at least this number of tasks is sleeping on this clock. Also returns if the waiting task is cancelled.
    public func untilAsleep(_ count: Int = 1) async {
        await state.withLock { $0.watchers.latch(for: count, reached: $0.sleepers.count) }?.wait()
    }

    /// Runs an operation, and advances the time to the next deadline whenever at least this number of tasks is sleeping on this clock.
    ///
    ///     let response = try await clock.run { try await chain.load(request) }   // all pauses of its retries pass at once
    ///
    /// - Parameter count: The number of sleeping tasks at which the time advances. Use the number of tasks that sleep when the operation
    ///   can only continue after time has passed: for example two, if a request both pauses and has a deadline. If the number is too low,
    ///   the time may advance before all of the tasks are asleep.
    public func run<Success>(whileAsleep count: Int = 1, _ operation: () async throws -> Success) async rethrows -> Success {
        let driving = Task {
            while true {
                await untilAsleep(count)
                guard !Task.isCancelled else { return }
                advanceToNextSleeper()
            }
        }
        do {
            let success = try await operation()
            await end(driving)
            return success
        } catch {
            await end(driving)
            throw error
        }
    }

    /// Suspends the task until a deadline of this clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the deadline.
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

    /// Ends the task that drives the clock; after this, the time stands still again.
    private func end(_ driving: Task<Void, Never>) async {
        driving.cancel()
        await driving.value
    }

    @discardableResult
    private func move(_ step: (State) -> Duration?) -> Duration? {
        let (duration, due) = state.withLock { state -> (Duration?, [Sleeper]) in
            guard let duration = step(state) else { return (nil, []) }
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return (duration, due)
        }
        for sleeper in due.sorted(by: { $0.deadline < $1.deadline }) { sleeper.continuation.resume(returning: true) }
        return duration
    }

    private func fallAsleep(_ id: Int, until deadline: Instant, _ continuation: CheckedContinuation<Bool, Never>) {
        let (answer, latches): (Bool?, [Latch<Void>]) = state.withLock { state in
            guard state.cancelled.remove(id) == nil else { return (false, []) }
            guard deadline > state.now else { return (true, []) }
            state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
            return (nil, state.watchers.reached(state.sleepers.count))
        }
        if let answer { continuation.resume(returning: answer) }
        for latch in latches { latch.open(()) }
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
