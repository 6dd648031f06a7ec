/// A type-erased clock for a chain. It measures time from its creation.
public struct LoadClock: Sendable {
    /// A point in time: the duration since the clock was created.
    package typealias Instant = Duration

    private let elapsed: @Sendable () -> Duration
    private let sleeping: @Sendable (Duration) async throws -> Void

    /// Creates a clock.
    ///
    /// - Parameter clock: The underlying clock, such as `ContinuousClock`, or one that a test advances.
    public init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleeping = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The system's clock that continues while the machine sleeps.
    public static let continuous = LoadClock(ContinuousClock())

    /// The time since the creation of the clock.
    public var now: Duration { elapsed() }

    /// Sleeps until an instant. An instant more than a hundred years after the creation of the clock counts as never, because the system's
    /// clocks cannot represent it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func sleep(until instant: Instant) async throws(CancellationError) {
        do {
            try await sleeping(instant.clamped)
        } catch {
            throw CancellationError()
        }
    }

    /// Sleeps for a duration.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: now + duration.clamped)
    }
}
