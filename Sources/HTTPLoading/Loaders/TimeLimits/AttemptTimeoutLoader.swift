import AuthHubPrimitives

/// Keeps the ``AttemptTimeout`` of each sending for a transport that does not, and never lets one last longer than the load may.
///
/// A sending has the time its request's option gives, or what is left of the load's time where that is less. The option is lowered to
/// this, so that a transport that keeps it by itself knows, too.
public struct AttemptTimeoutLoader: Loader {
    private let transportKeepsTime: Bool

    /// - Parameter transportKeepsTime: Whether the transport ends each sending at the request's ``AttemptTimeout`` by itself, as those for
    ///   the network do; the loader then only lowers the option.
    public init(transportKeepsTime: Bool = false) {
        self.transportKeepsTime = transportKeepsTime
    }

    public var place: LoaderPlace? { .attemptTimeout }

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
