public import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that responds to requests according to a list of routes, without a network. Requests can arrive in any order and number.
///
/// A request without a route gets a 404, or fails, depending on ``Unrouted``. ``verifyRouted()`` reports all requests without a route.
public final class RoutedTransport: Transport {
    /// What happens to requests without a route.
    public enum Unrouted: Sendable, Hashable {
        /// The request gets a response with status 404.
        case notFound
        /// The request fails with ``HTTPLoading/LoadError/Code/invalidRequest``.
        case fails
    }

    private struct State {
        var log = RequestLog()
        var unexpected: [String] = []
    }

    private let routes: [(matcher: RequestMatcher, answer: ScriptedAnswer)]
    private let unrouted: Unrouted
    private let state = Mutex(State())

    /// Creates a transport.
    ///
    /// - Parameter routes: The routes. The first route that matches a request determines the response.
    public init(_ routes: [(RequestMatcher, ScriptedAnswer)], unrouted: Unrouted = .notFound) {
        self.routes = routes.map { (matcher: $0.0, answer: $0.1) }
        self.unrouted = unrouted
    }

    /// All requests that were received, in order.
    public var requests: [LoadRequest] {
        state.withLock { $0.log.requests }
    }

    /// Waits until at least this number of requests has been received, whether or not they have a response yet. Also returns if the waiting
    /// task is cancelled.
    public func untilRequested(_ count: Int = 1) async {
        await state.withLock { $0.log.latch(for: count) }?.wait()
    }

    /// Responds to a request with the first route that matches it.
    ///
    /// - Throws: The error of the route; or ``HTTPLoading/LoadError`` with `.invalidRequest` for a request without a route, if the
    ///   transport was created with ``Unrouted/fails``.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let route = routes.first { $0.matcher.matches(request) }
        let mismatch = "no route for \(RequestMatcher.describe(request))"
        let latches = state.withLock { state in
            if route == nil { state.unexpected.append(mismatch) }
            return state.log.append(request)
        }
        for latch in latches { latch.open(()) }
        if let route { return try await route.answer.respond(request) }
        switch unrouted {
        case .notFound: return LoadResponse(HTTPResponse(status: .notFound))
        case .fails: throw LoadError(.invalidRequest, for: request, explanation: mismatch)
        }
    }

    /// Checks that every request had a route.
    ///
    /// - Throws: ``ScriptError`` with the requests that had none.
    public func verifyRouted() throws(ScriptError) {
        if let error = ScriptError(unexpected: state.withLock(\.unexpected), unused: []).ifAny { throw error }
    }
}
