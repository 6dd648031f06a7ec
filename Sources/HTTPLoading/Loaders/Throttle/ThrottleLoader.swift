/// A loader that limits the number of requests in progress; the others wait for their turn.
///
/// ```swift
/// ThrottleLoader(limit: 6, per: .origin)
/// request.options[LoadPriority.self] = .high
/// request.options[Throttling.self] = .never       // passes immediately and is not counted
/// request.options[ThrottleKey.self] = "uploads"   // counted with the other uploads
/// ```
///
/// A request is in progress until the body of its response has been read to its end or released. A response that you keep without reading
/// it therefore keeps its permit.
///
/// A waiting request fails with ``LoadError`` and `.queueFull` if too many requests are already waiting, with `.timedOut` if its time limit
/// is over, or with `.cancelled`. In these cases, it was not sent.
///
/// By default, all requests of a chain are counted together, unlike in a ``RateLimitLoader``. Pass `per: .origin` to count each origin
/// separately.
///
/// A chain can have two throttle loaders: first one that limits each origin, then one that limits the whole chain.
public struct ThrottleLoader: Loader {
    /// The limiter.
    package let limiter: Limiter
    private let scope: LimitScope

    /// Creates a loader with a limiter.
    ///
    /// - Parameters:
    ///   - limiter: The limiter, which other chains can share.
    ///   - scope: The way requests without a ``ThrottleKey`` are grouped.
    public init(_ limiter: Limiter, per scope: LimitScope = .chain) {
        self.limiter = limiter
        self.scope = scope
    }

    /// Creates a loader with its own limiter.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of requests in progress; nil for no limit.
    ///   - scope: The way requests without a ``ThrottleKey`` are grouped.
    public init(limit: Int? = nil, per scope: LimitScope = .chain) {
        self.init(Limiter(limit: limit), per: scope)
    }

    /// The position of the loader: ``LoaderPosition/throttle``.
    public var position: LoaderPosition? { .throttle }

    /// Waits for a permit and sends the request. The permit is held until the response's body has ended.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard request.options[Throttling.self] == .always else { return try await next(request) }
        let start = next.clock.now
        let permit = try await limiter.acquire(
            scope.key(of: request, named: request.options[ThrottleKey.self]), priority: request.options[LoadPriority.self],
            for: request, of: next.chain, expiry: next.expiry, timer: next.timer)
        let waiting = next.clock.now - start
        // If this throws, the permit is released at the end of its scope.
        var response = try await next(request)
        response.notes.timings.waiting += waiting
        let held = HeldPermit(permit)
        response.body.whenEnded { held.release() }
        return response
    }

    /// Cancels the waiting requests of the chain. The limits do not change.
    public func reset(_ context: ResetContext) async throws {
        if context.phase == .cleanUp { limiter.cancelWaiting(of: context.chain) }
    }
}
