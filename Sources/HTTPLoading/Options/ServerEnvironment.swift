import AuthHubPrimitives
public import HTTPTypes

/// Where requests go that name only a path, and the header fields they get: one of a server's environments, such as test or live.
///
/// As a request's option it goes before the one of the ``EnvironmentLoader``.
public struct ServerEnvironment: Sendable {
    public let scheme: String
    public let authority: String
    /// What stands before the path of each request, such as `/v1`; a query in it is not possible.
    public let pathPrefix: String
    /// Fields for requests that have none of the same name; they go to no other origin than this one.
    public var headerFields: HTTPFields
    /// For requests that do not say otherwise themselves.
    public var options: RequestOptions

    /// - Parameter url: The address that paths are appended to, such as `https://api.example.com/v1`.
    /// - Throws: ``LoadError`` with `.invalidRequest` where it is no absolute http or https URL, or has a query.
    public init(url: String, headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()) throws(LoadError) {
        guard let target = RequestTarget(url), let scheme = target.scheme, let authority = target.authority, !target.path.contains("?")
        else { throw LoadError(.invalidRequest, explanation: "an environment is an absolute http or https URL without a query") }
        self.scheme = scheme
        self.authority = authority
        pathPrefix = target.path
        self.headerFields = headerFields
        self.options = options
    }
}

extension ServerEnvironment: RequestOption {
    public static var defaultValue: ServerEnvironment? { nil }
}
