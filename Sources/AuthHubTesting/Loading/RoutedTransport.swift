public import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that answers by method and path, in any order and number; it reaches no network.
///
/// A request without a route gets status 404, as from a server, or fails, as injected by the test; either way it is remembered for
/// ``verifyRouted()``.
public final class RoutedTransport: Transport {
    /// What becomes of requests without a route.
    public enum Unrouted: Sendable, Hashable {
        /// They get a response with status 404.
        case notFound
        /// They end in ``HTTPLoading/LoadError/Code/invalidRequest``.
        case fails
    }

    private struct State {
        var log = RequestLog()
        var unexpected: [String] = []
    }

    private let routes: [(matcher: RequestMatcher, answer: ScriptedAnswer)]
    private let unrouted: Unrouted
    private let state = Mutex(State())

    /// - Parameter routes: The first that matches answers.
    public init(_ routes: [(RequestMatcher, ScriptedAnswer)], unrouted: Unrouted = .notFound) {
        self.routes = routes.map { (matcher: $0.0, answer: $0.1) }
        self.unrouted = unrouted
    }

    /// All requests that came, in order.
    public var requests: [LoadRequest] {
        state.withLock { $0.log.requests }
    }

    /// Returns as soon as at least so many requests have come, answered or not; also where the waiting task is cancelled.
    public func untilRequested(_ count: Int = 1) async {
        await state.withLock { $0.log.latch(for: count) }?.wait()
    }

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

    /// Checks that each request that came had a route.
    public func verifyRouted() throws(ScriptError) {
        if let error = ScriptError(unexpected: state.withLock(\.unexpected), unused: []).ifAny { throw error }
    }
}
