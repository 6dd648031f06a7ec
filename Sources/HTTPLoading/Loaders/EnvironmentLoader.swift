import AuthHubPrimitives
import HTTPTypes

/// Completes requests that name only a path, and adds default header fields, from a ``ServerEnvironment``.
///
/// A request's own environment, set as an option, goes before the loader's. What the request says itself always stands. Default fields
/// go only to the environment's own origin: they may hold keys that are no one else's business.
public struct EnvironmentLoader: Loader {
    private let environment: ServerEnvironment?

    /// - Parameter environment: The one for requests without an environment of their own; nil where there is none.
    public init(_ environment: ServerEnvironment? = nil) {
        self.environment = environment
    }

    public var place: LoaderPlace? { .environment }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let environment = request.options[ServerEnvironment.self] ?? environment else { return try await next(request) }
        var completed = request
        completed.options.fill(from: environment.options, as: .environment)
        environment.complete(&completed.head)
        return try await next(completed)
    }
}

extension ServerEnvironment {
    fileprivate func complete(_ head: inout HTTPRequest) {
        if head.authority == nil {
            head.scheme = head.scheme ?? scheme
            head.authority = authority
            head.path = prefixed(head.path ?? "/")
        }
        guard let origin = Origin(head), origin == Origin(scheme: scheme, authority: authority) else { return }
        let given = Set(head.headerFields.map(\.name))
        for field in headerFields where !given.contains(field.name) {
            head.headerFields.append(field)
        }
    }

    private func prefixed(_ path: String) -> String {
        var prefix = pathPrefix[...]
        while prefix.last == "/" { prefix = prefix.dropLast() }
        return prefix + (path.hasPrefix("/") ? path : "/" + path)
    }
}
