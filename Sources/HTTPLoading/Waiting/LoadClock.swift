/// The clock a chain waits by, with its type erased: times are durations since it was made.
public struct LoadClock: Sendable {
    public typealias Instant = Duration

    private let elapsed: @Sendable () -> Duration
    private let sleeping: @Sendable (Duration) async throws -> Void

    /// - Parameter clock: Such as `ContinuousClock`, or in tests one that is moved by hand.
    public init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleeping = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The system's clock that goes on while the machine sleeps.
    public static let continuous = LoadClock(ContinuousClock())

    /// The time since the clock was made.
    public var now: Instant { elapsed() }

    /// - Throws: `CancellationError` where the task is cancelled first.
    public func sleep(until instant: Instant) async throws(CancellationError) {
        do {
            try await sleeping(instant)
        } catch {
            throw CancellationError()
        }
    }

    /// - Throws: `CancellationError` where the task is cancelled first.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: now + duration)
    }
}
