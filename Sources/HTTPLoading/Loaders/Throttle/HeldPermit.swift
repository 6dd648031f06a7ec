import Synchronization

/// A permit that whoever ends a body gives back; shared by the closures that may be the ones.
final class HeldPermit: Sendable {
    private let permit: Mutex<Permit?>

    init(_ permit: consuming Permit) {
        self.permit = Mutex(permit)
    }

    /// Gives it back, the first time.
    func release() {
        // Out of the lock first: giving it back wakes others.
        let permit = permit.withLock { $0.take() }
        _ = consume permit
    }
}
