/// Limits how many requests are under way at once; the others wait for their turn.
///
/// ```swift
/// ThrottleLoader(limit: 6, per: .origin)
/// request.options[LoadPriority.self] = .high
/// request.options[Throttling.self] = .never       // passes, and is not counted
/// request.options[ThrottleKey.self] = "uploads"   // counted with its like
/// ```
///
/// A request is under way until its response's body has been read to its end or let go. Whoever keeps a response without reading it keeps
/// a permit. A wait ends in ``LoadError`` with `.queueFull` where too many wait already, with `.timedOut` where the load's time is over,
/// and with `.cancelled`; the request was not sent then.
///
/// Requests of a chain are counted together unless `per: .origin` is said, other than by a ``RateLimitLoader``.
///
/// Two in a row make sense: one per origin, and behind it one for the whole chain.
public struct ThrottleLoader: Loader {
    /// To be adjusted while loads are under way.
    public let limiter: Limiter
    private let scope: LimitScope
    private let owner = LimiterOwner()

    /// - Parameters:
    ///   - limiter: Counts; may be shared with other chains.
    ///   - scope: What is counted together, where a request has no ``ThrottleKey``.
    public init(_ limiter: Limiter, per scope: LimitScope = .chain) {
        self.limiter = limiter
        self.scope = scope
    }

    /// - Parameters:
    ///   - limit: How many may be under way at once; nil for any number.
    ///   - scope: What is counted together, where a request has no ``ThrottleKey``.
    public init(limit: Int? = nil, per scope: LimitScope = .chain) {
        self.init(Limiter(limit: limit), per: scope)
    }

    public var place: LoaderPlace? { .throttle }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard request.options[Throttling.self] == .always else { return try await next(request) }
        let start = next.clock.now
        let permit = try await limiter.acquire(
            scope.key(of: request, named: request.options[ThrottleKey.self]), priority: request.options[LoadPriority.self],
            for: request, owner: owner, expiry: next.expiry, timer: next.timer)
        let waiting = next.clock.now - start
        // A load that fails lets the permit go by its end.
        var response = try await next(request)
        response.notes.timings.waiting += waiting
        let held = HeldPermit(permit)
        response.body.whenEnded { held.release() }
        return response
    }

    /// Ends the waiting of this loader's requests. The limits stay.
    public func reset(_ context: ResetContext) async throws {
        if context.phase == .cleanUp { limiter.cancelWaiting(of: owner) }
    }
}
