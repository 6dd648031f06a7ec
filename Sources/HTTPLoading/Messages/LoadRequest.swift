public import AuthHubPrimitives
public import HTTPTypes

/// A request to be loaded by a ``Chain``: the message, its body, and how this one wants to be treated.
///
/// It is a value. Its ``id`` survives retries, replays and redirects, so that logs and errors of one load belong together.
public struct LoadRequest: Sendable, Identifiable {
    /// Made with the request; copies have it, too.
    public let id: RequestID
    /// Method, address and header fields.
    public var head: HTTPRequest
    public var body: RequestBody
    /// How this request wants to be treated, where that is not as the chain's others.
    public var options: RequestOptions

    /// A request for a message that is at hand.
    public init(_ head: HTTPRequest, body: RequestBody = .empty, options: RequestOptions = RequestOptions()) {
        id = RequestID()
        self.head = head
        self.body = body
        self.options = options
    }
}

extension LoadRequest {
    /// A request for an absolute http or https URL, or for a path that an ``EnvironmentLoader`` completes.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` where the text is no such URL, carries user information, or characters that have
    ///   to be percent-encoded. A fragment is left out: it is never sent.
    public init(
        _ method: HTTPRequest.Method,
        _ url: String,
        headers: HTTPFields = [:],
        body: RequestBody = .empty
    ) throws(LoadError) {
        guard let target = RequestTarget(url) else {
            throw LoadError(
                .invalidRequest,
                explanation: "not an absolute http or https URL, nor a path, or with characters that must be percent-encoded")
        }
        self.init(method, target, headers: headers, body: body)
    }

    /// A request for a target that is known to be one, such as that of a `Link` field.
    public init(_ method: HTTPRequest.Method, _ target: RequestTarget, headers: HTTPFields = [:], body: RequestBody = .empty) {
        self.init(
            HTTPRequest(method: method, scheme: target.scheme, authority: target.authority, path: target.path, headerFields: headers),
            body: body)
    }

    public static func get(_ url: String, headers: HTTPFields = [:]) throws(LoadError) -> Self {
        try Self(.get, url, headers: headers)
    }

    public static func post(_ url: String, headers: HTTPFields = [:], body: RequestBody) throws(LoadError) -> Self {
        try Self(.post, url, headers: headers, body: body)
    }
}

/// Names one load, whatever number of attempts and hops it takes.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    private let value: UInt64

    init() {
        value = UInt64.random(in: .min ... .max)
    }

    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
