import Platform
import Synchronization

/// A wall clock that stands still until it is set.
final class SettableClock: Sendable {
    private let instant = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { instant.withLock { $0 } }

    func advance(by seconds: Double) {
        instant.withLock { $0 += seconds }
    }
}
