/// An exclusive lease that is held until it is released, or until the process ends.
public final class CredentialLease: Sendable {
    private let releasing: @Sendable () async -> Void
    private let holding: @Sendable () -> Bool

    /// - Parameters:
    ///   - isHeld: What ``isHeld`` tells. Without it, a lease is held until it is released.
    ///   - release: Called by ``release()``; must be harmless when called again.
    public init(isHeld: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () async -> Void) {
        holding = isHeld
        releasing = release
    }

    /// Whether it is certain that nobody else has the lease. Those of stores over a network may end while their holder is cut off, or its
    /// machine sleeps: to be asked right before something that only one may do.
    public var isHeld: Bool { holding() }

    /// Lets the next one have the lease. Harmless when called again.
    public func release() async {
        await releasing()
    }
}

extension Duration {
    /// A waiting time that clocks can add to their instants: neither negative nor longer than a year.
    package var boundedWait: Duration {
        min(max(self, .zero), .seconds(365 * 86_400))
    }
}
