import AuthHubPrimitives

/// Limits the time of whole loads: all attempts, pauses, waiting and redirects, up to the last byte of the response's body.
///
/// A load whose time is over ends in ``LoadError/Code/timedOut``: what is under way for it is cancelled. A body ends at the same moment,
/// even one that nobody reads, and its connection goes.
public struct DeadlineLoader: Loader {
    private let limit: Duration

    /// - Parameter limit: For requests without a ``Deadline`` of their own.
    public init(_ limit: Duration) {
        self.limit = limit
    }

    public var place: LoaderPlace? { .deadline }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let limit = (request.options[Deadline.self] ?? limit).clamped
        let limited = next.expiring(at: next.clock.now + limit)
        return try await TimeLimit(
            expiry: limited.expiry ?? next.clock.now + limit,
            explanation: "the request did not receive the whole response within \(limit.inWords), including retries and redirects"
        ).load(request, next: limited)
    }
}
