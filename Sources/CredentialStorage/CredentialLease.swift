/// An exclusive lease that is held until it is released, or until the process exits.
public final class CredentialLease: Sendable {
    private let releasing: @Sendable () async -> Void
    private let holding: @Sendable () -> Bool

    /// Creates a lease.
    ///
    /// - Parameters:
    ///   - isHeld: The implementation of ``isHeld``. By default, a lease is held until it is released.
    ///   - release: Called by ``release()``. It must have no effect when it is called again.
    public init(isHeld: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () async -> Void) {
        holding = isHeld
        releasing = release
    }

    /// Whether it is certain that no one else holds the lease. The lease of a network store can expire while its holder is disconnected or
    /// the machine sleeps, so check this immediately before the protected operation.
    public var isHeld: Bool { holding() }

    /// Releases the lease. Has no effect if it was already released.
    public func release() async {
        await releasing()
    }
}

extension Duration {
    /// A waiting time that clocks can add to their instants: not negative and at most a year.
    package var boundedWait: Duration {
        min(max(self, .zero), .seconds(365 * 86_400))
    }
}
