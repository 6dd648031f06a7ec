public import AuthHubPrimitives
public import HTTPTypes

/// A base URL and defaults for requests that have only a path, such as those of a server's test or production environment.
///
/// Set an environment as an option of a request to override the environment of the ``EnvironmentLoader``.
public struct ServerEnvironment: Sendable {
    /// The URL scheme in lower case: `http` or `https`.
    package let scheme: String
    /// The host, and the port if the URL has one.
    package let authority: String
    /// The path before the path of each request, such as `/v1`, without trailing slashes.
    package let pathPrefix: String
    /// Query items for requests whose query has no item with the same name. They are form-encoded (WHATWG URL) and appended in this order
    /// to the request's own items. They are not sent to any other origin.
    public var queryItems: FormParameters
    /// Header fields for requests that have no field with the same name. They are not sent to any other origin. If a redirect leads to
    /// another origin, ``RedirectLoader`` removes all fields with these names, even those of the request.
    public var headerFields: HTTPFields
    /// Options for requests that do not set them. They override the options of the chain.
    public var options: RequestOptions
    /// The scheme, host and port, for example for a ``BasicAuthorizer`` or an allowlist.
    public let origin: Origin

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - url: The URL that paths are appended to, such as `https://api.example.com/v1`.
    ///   - queryItems: The default query items; see ``queryItems``.
    ///   - headerFields: The default header fields; see ``headerFields``.
    ///   - options: The default options; see ``options``.
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not an absolute http or https URL, or has a query.
    public init(
        url: String, queryItems: FormParameters = [:], headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()
    ) throws(LoadError) {
        guard let target = RequestTarget(url), let scheme = target.scheme, let authority = target.authority,
            let origin = Origin(scheme: scheme, authority: authority), !target.path.utf8.contains(UInt8(ascii: "?"))
        else { throw LoadError(.invalidRequest, explanation: "the environment must be an absolute http or https URL without a query") }
        self.scheme = scheme
        self.authority = authority
        self.origin = origin
        pathPrefix = target.path
        self.queryItems = queryItems
        self.headerFields = headerFields
        self.options = options
    }
}

extension ServerEnvironment: RequestOption {
    /// The default: nil, so that the environment of the ``EnvironmentLoader`` applies.
    public static var defaultValue: ServerEnvironment? { nil }
}

/// Shows only the names of default items and fields, because their values may be keys.
extension ServerEnvironment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(origin)\(pathPrefix)" }
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "address": description,
                "queryItems": queryItems.parameters.map(\.name),
                "headerFields": headerFields.map(\.name.canonicalName),
            ] as KeyValuePairs<String, Any>)
    }
}
