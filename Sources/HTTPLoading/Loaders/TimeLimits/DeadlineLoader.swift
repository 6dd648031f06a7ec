import AuthHubPrimitives

/// A loader that limits the time of whole requests: all attempts, pauses, waiting and redirects, up to the last byte of the response's
/// body.
///
/// When the time is over, the loader cancels the request, which fails with ``LoadError/Code/timedOut``. If a body is still in transit, it
/// fails at the same moment, even if no one is reading it, and its connection is released.
public struct DeadlineLoader: Loader {
    private let limit: Duration

    /// Creates a loader.
    ///
    /// - Parameter limit: The limit for requests without a ``Deadline``.
    public init(_ limit: Duration) {
        self.limit = limit
    }

    /// The position of the loader: ``LoaderPosition/deadline``.
    public var position: LoaderPosition? { .deadline }

    /// Sends the request with the limit in its ``Deadline`` option, or else with the limit of the loader.
    ///
    /// - Throws: ``LoadError`` with `.timedOut` if there is no response in time.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let limit = (request.options[Deadline.self] ?? limit).clamped
        let limited = next.expiring(at: next.clock.now + limit)
        return try await TimeLimit(
            expiry: limited.expiry ?? next.clock.now + limit,
            explanation: "the request did not receive the whole response within \(limit.inWords), including retries and redirects"
        ).load(request, next: limited)
    }
}
