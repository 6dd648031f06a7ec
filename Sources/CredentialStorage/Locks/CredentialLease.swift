/// An exclusive lease that is held until it is released, or until the process ends.
public final class CredentialLease: Sendable {
    private let releasing: @Sendable () async -> Void
    private let holding: @Sendable () -> Bool

    /// Creates a lease.
    ///
    /// - Parameters:
    ///   - isHeld: Returns the value of ``isHeld``. By default, a lease is held until it is released.
    ///   - release: Called by ``release()``; must be harmless if called again.
    public init(isHeld: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () async -> Void) {
        holding = isHeld
        releasing = release
    }

    /// Whether it is certain that no one else has the lease. The leases of network stores may expire while their holder is disconnected, or
    /// its machine sleeps. Check it right before an operation that only one holder may do.
    public var isHeld: Bool { holding() }

    /// Releases the lease for the next holder. Harmless if called again.
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
