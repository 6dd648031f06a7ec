import Synchronization

/// A permit that is released at the end of a body; shared by the closures of which one will release it.
final class HeldPermit: Sendable {
    private let permit: Mutex<Permit?>

    init(_ permit: consuming Permit) {
        self.permit = Mutex(permit)
    }

    /// Releases the permit, the first time it is called.
    func release() {
        // Take it out of the lock first, because releasing it wakes others.
        let permit = permit.withLock { $0.take() }
        _ = consume permit
    }
}
