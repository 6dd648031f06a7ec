/// An exclusive lease that is held until it is released, or until the process ends.
public final class CredentialLease: Sendable {
    private let releasing: @Sendable () async -> Void

    /// - Parameter release: Called by ``release()``; must be harmless when called again.
    public init(release: @escaping @Sendable () async -> Void) {
        releasing = release
    }

    /// Lets the next one have the lease. Harmless when called again.
    public func release() async {
        await releasing()
    }
}

extension Duration {
    /// A waiting time that clocks can add to their instants: neither negative nor longer than a year.
    var boundedWait: Duration {
        min(max(self, .zero), .seconds(365 * 86_400))
    }
}
