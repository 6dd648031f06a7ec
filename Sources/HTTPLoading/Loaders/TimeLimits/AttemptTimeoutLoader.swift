import AuthHubPrimitives

/// A loader that limits the time of each attempt to the ``AttemptTimeout`` of the request, or to the remaining time of the request if that
/// is shorter.
///
/// Use it for a transport that does not enforce ``AttemptTimeout`` itself. For a transport that does, the loader only lowers the option to
/// the remaining time.
public struct AttemptTimeoutLoader: Loader {
    private let transportKeepsTime: Bool

    /// Creates a loader.
    ///
    /// - Parameter transportKeepsTime: Whether the transport enforces ``AttemptTimeout``, as the network transports of this package do. If
    ///   so, the loader only lowers the option.
    public init(transportKeepsTime: Bool = false) {
        self.transportKeepsTime = transportKeepsTime
    }

    /// The position of the loader: ``LoaderPosition/attemptTimeout``.
    public var position: LoaderPosition? { .attemptTimeout }

    /// Sends the request with its ``AttemptTimeout``, or with its remaining time if that is shorter.
    ///
    /// - Throws: ``LoadError`` with `.timedOut` if no time remains, or if there is no response in time.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let now = next.clock.now
        var limit = request.options[AttemptTimeout.self].clamped
        if let expiry = next.expiry { limit = min(limit, (expiry - now).clamped) }
        let explanation = "the attempt did not receive the whole response within \(limit.inWords)"
        guard limit > .zero else { throw LoadError(.timedOut, for: request, explanation: explanation) }
        var limited = request
        limited.options[AttemptTimeout.self] = limit
        guard !transportKeepsTime else { return try await next(limited) }
        return try await TimeLimit(expiry: now + limit, explanation: explanation).load(limited, next: next)
    }
}
