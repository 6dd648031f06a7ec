public import HTTPLoading
import HTTPTypes

/// A transport that answers by method and path, in any order and number; it reaches no network.
///
/// A request without a route gets status 404, as from a server.
public struct RoutedTransport: Transport {
    private let routes: [(matcher: RequestMatcher, answer: ScriptedAnswer)]

    /// - Parameter routes: The first that matches answers.
    public init(_ routes: [(RequestMatcher, ScriptedAnswer)]) {
        self.routes = routes.map { (matcher: $0.0, answer: $0.1) }
    }

    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard let route = routes.first(where: { $0.matcher.matches(request) }) else {
            return LoadResponse(HTTPResponse(status: .notFound))
        }
        return try await route.answer.respond(request)
    }
}
