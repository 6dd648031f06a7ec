import AuthHubPrimitives

/// A loader that enforces the ``AttemptTimeout`` for a transport that does not, and never lets an attempt exceed the request's time limit.
///
/// An attempt may take as long as the request's option says, or as long as the request's remaining time, whichever is less. The loader
/// lowers the option to this value, for a transport that enforces it itself.
public struct AttemptTimeoutLoader: Loader {
    private let transportKeepsTime: Bool

    /// Creates a loader.
    ///
    /// - Parameter transportKeepsTime: Whether the transport itself enforces the request's ``AttemptTimeout``, as those for the network do.
    ///   If so, the loader only lowers the option.
    public init(transportKeepsTime: Bool = false) {
        self.transportKeepsTime = transportKeepsTime
    }

    /// The place of the loader: ``LoaderPlace/attemptTimeout``.
    public var place: LoaderPlace? { .attemptTimeout }

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
