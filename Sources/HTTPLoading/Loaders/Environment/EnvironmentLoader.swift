import AuthHubPrimitives
import HTTPTypes

/// A loader that completes requests from a ``ServerEnvironment``. If a request has only a path, the loader adds scheme, host, port and path
/// prefix. If a request is sent to the environment's own origin, the loader adds default query items and header fields.
///
/// An environment in the options of a request overrides the environment of the loader. Values that a request already has are never
/// replaced. Default query items and header fields are not sent to any other origin, even after a redirect, because they may contain keys.
public struct EnvironmentLoader: Loader {
    private let environment: ServerEnvironment?

    /// Creates a loader.
    ///
    /// - Parameter environment: The environment for requests that have none in their options.
    public init(_ environment: ServerEnvironment? = nil) {
        self.environment = environment
    }

    /// The position of the loader: ``LoaderPosition/environment``.
    public var position: LoaderPosition? { .environment }

    /// Completes the request from the environment in its options, or else from the loader's, and sends it.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let environment = request.options[ServerEnvironment.self] ?? environment else { return try await next(request) }
        var completed = request
        completed.options.fill(from: environment.options, as: .environment)
        // For the redirect loader, which needs to know the fields to remove.
        completed.options[ServerEnvironment.self] = environment
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

    /// Returns the path with the default items appended to its query; the request's own bytes stay as they are.
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
