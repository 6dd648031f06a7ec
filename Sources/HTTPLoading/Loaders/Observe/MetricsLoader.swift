public import AuthHubPrimitives
import HTTPTypes
public import Metrics

/// A loader that counts and times requests, or attempts.
///
/// | Metric | Kind | Dimensions |
/// | --- | --- | --- |
/// | `http.client.loads`, `http.client.attempts` | counter | `method`, `status`, `error`, `origin` |
/// | `http.client.load.duration`, `http.client.attempt.duration` | timer, until the head of the response | the same |
/// | `http.client.retries`, `http.client.replays`, `http.client.redirects` | counters | `method`, `origin` |
///
/// Retries, replays and redirects are only counted for whole requests that received a response.
///
/// Each dimension has only a few values. `method` is one of the nine common methods or `other`. `status` is one of `1xx` to `5xx`, or
/// `none`. `error` is a ``LoadError/Code`` with hyphens instead of spaces, or `none`. `origin` is one of the origins that you list, or
/// `other`; without a list, there is no such dimension.
public struct MetricsLoader: Loader {
    private let givenFactory: (any MetricsFactory)?
    private let origins: Set<Origin>
    private let eachAttempt: Bool

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - factory: The factory of the metrics; if nil, the program's global factory (`MetricsSystem.factory`).
    ///   - origins: The origins to distinguish; if empty, the dimension is omitted. A whole request is counted under the origin of its
    ///     original URL, even if it was redirected.
    ///   - eachAttempt: Whether to count attempts instead of whole requests. The loader's position is then right before the transport.
    public init(factory: (any MetricsFactory)? = nil, origins: Set<Origin> = [], eachAttempt: Bool = false) {
        givenFactory = factory
        self.origins = origins
        self.eachAttempt = eachAttempt
    }

    /// The position of the loader: ``LoaderPosition/observeAttempts`` if it counts each attempt, otherwise ``LoaderPosition/observe``.
    public var position: LoaderPosition? { eachAttempt ? .observeAttempts : .observe }

    /// Sends the request, and records its result and the time until the head of the response.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let (result, duration) = await next.timedOutcome(of: request)
        let factory = givenFactory ?? MetricsSystem.factory
        let common = commonDimensions(of: request)
        let dimensions = common + outcome(of: result)
        Counter(label: eachAttempt ? "http.client.attempts" : "http.client.loads", dimensions: dimensions, factory: factory).increment()
        Timer(label: eachAttempt ? "http.client.attempt.duration" : "http.client.load.duration", dimensions: dimensions, factory: factory)
            .recordNanoseconds(Int64(duration / .nanoseconds(1)))
        if !eachAttempt, case .success(let response) = result { count(response.notes, dimensions: common, factory: factory) }
        return try result.get()
    }

    private func count(_ notes: ResponseNotes, dimensions: [(String, String)], factory: any MetricsFactory) {
        let counts = [
            ("http.client.retries", notes.attempts - 1), ("http.client.replays", notes.replays),
            ("http.client.redirects", notes.redirects.count),
        ]
        for (label, count) in counts where count > 0 {
            Counter(label: label, dimensions: dimensions, factory: factory).increment(by: count)
        }
    }

    private func commonDimensions(of request: LoadRequest) -> [(String, String)] {
        var dimensions = [("method", request.head.method.wellKnownName ?? "other")]
        if !origins.isEmpty {
            let origin = Origin(request.head).flatMap { origins.contains($0) ? $0.description : nil }
            dimensions.append(("origin", origin ?? "other"))
        }
        return dimensions
    }

    private func outcome(of result: Result<LoadResponse, LoadError>) -> [(String, String)] {
        switch result {
        case .success(let response): [("status", "\(response.status.code / 100)xx"), ("error", "none")]
        case .failure(let error): [("status", "none"), ("error", error.code.description)]
        }
    }
}
