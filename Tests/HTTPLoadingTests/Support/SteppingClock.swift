import Synchronization

/// A clock that advances by one step whenever it is read.
final class SteppingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let step: Duration
    private let current = Mutex(Instant(offset: .zero))

    init(step: Duration) {
        self.step = step
    }

    var minimumResolution: Duration { step }

    var now: Instant {
        current.withLock { current in
            defer { current.offset += step }
            return current
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}
