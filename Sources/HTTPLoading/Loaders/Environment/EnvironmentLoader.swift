import AuthHubPrimitives
import HTTPTypes

/// Completes requests from a ``ServerEnvironment``: scheme, host, port and path prefix for those that name only a path, default query
/// items and header fields for all that go to the environment's own origin.
///
/// A request's own environment, set as an option, goes before the loader's. What the request says itself always stands. Query items and
/// header fields go to no other origin: they may hold keys that are no one else's business.
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
        guard let origin = Origin(head), origin == self.origin else { return }
        head.path = filled(head.path ?? "/")
        head.headerFields.fill(from: headerFields)
    }

    private func prefixed(_ path: String) -> String {
        var prefix = pathPrefix[...]
        while prefix.last == "/" { prefix = prefix.dropLast() }
        return prefix + (path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    }

    /// The path with the default items at the end of its query; the request's own bytes stay as they are.
    private func filled(_ path: String) -> String {
        guard !queryItems.parameters.isEmpty else { return path }
        let query = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path.utf8[$0...].dropFirst() }
        let given = (query ?? "".utf8[...]).split(separator: UInt8(ascii: "&")).compactMap { pair in
            try? FormParameters(decoding: Substring(pair.prefix { $0 != UInt8(ascii: "=") })).parameters.first?.name
        }
        let missing = FormParameters(queryItems.parameters.filter { item in !given.contains { $0.hasSameBytes(as: item.name) } })
        guard !missing.parameters.isEmpty else { return path }
        guard let query else { return path + "?" + missing.encoded() }
        let isPairOpen = query.last.map { $0 != UInt8(ascii: "&") } ?? false
        return path + (isPairOpen ? "&" : "") + missing.encoded()
    }
}
