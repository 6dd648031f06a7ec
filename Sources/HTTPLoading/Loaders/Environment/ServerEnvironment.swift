public import AuthHubPrimitives
public import HTTPTypes

/// Where requests go that name only a path, and what they get: one of a server's environments, such as test or live.
///
/// As a request's option it goes before the one of the ``EnvironmentLoader``.
public struct ServerEnvironment: Sendable {
    public let scheme: String
    /// Host, and port where the address names one.
    public let authority: String
    /// What stands before the path of each request, such as `/v1`; slashes at its end do not count.
    public let pathPrefix: String
    /// For requests whose query has none of the same name, form-encoded (WHATWG URL) and in this order behind the request's own; they go
    /// to no other origin than this one.
    public var queryItems: FormParameters
    /// Fields for requests that have none of the same name; they go to no other origin than this one, nor does a ``RedirectLoader`` let
    /// fields of these names go there.
    public var headerFields: HTTPFields
    /// For requests that do not say otherwise themselves; they go before those of the chain.
    public var options: RequestOptions
    /// Scheme, host and port: what a ``BasicAuthorizer`` or an allow-list wants to know.
    public let origin: Origin

    /// - Parameters:
    ///   - url: The address that paths are appended to, such as `https://api.example.com/v1`.
    ///   - queryItems: See ``queryItems``.
    ///   - headerFields: See ``headerFields``.
    ///   - options: See ``options``.
    /// - Throws: ``LoadError`` with `.invalidRequest` where it is no absolute http or https URL, or has a query.
    public init(
        url: String, queryItems: FormParameters = [:], headerFields: HTTPFields = [:], options: RequestOptions = RequestOptions()
    ) throws(LoadError) {
        guard let target = RequestTarget(url), let scheme = target.scheme, let authority = target.authority,
            let origin = Origin(scheme: scheme, authority: authority), !target.path.utf8.contains(UInt8(ascii: "?"))
        else { throw LoadError(.invalidRequest, explanation: "the environment is not an absolute http or https URL without a query") }
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
    public static var defaultValue: ServerEnvironment? { nil }
}

/// Default items and fields may hold keys: only their names are shown.
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
