public import AuthHubPrimitives
public import HTTPTypes

/// A request for a ``Chain``: the message, its body, and its options.
///
/// A request is a value. Its ``id`` stays the same in retries, replays and redirects, so you can use it to find all log lines and errors of
/// one request.
public struct LoadRequest: Sendable, Identifiable {
    // In one object, because every function of a chain that changes a request reserves space for a copy.
    private var parts: Parts

    /// Creates a request from the head of an HTTP message.
    public init(_ head: HTTPRequest, body: RequestBody = .empty, options: RequestOptions = RequestOptions()) {
        parts = Parts(id: RequestID(), head: head, body: body, options: options)
    }

    /// The ID, which is generated with the request and shared by its copies.
    public var id: RequestID { parts.id }

    /// The method, URL and header fields.
    public var head: HTTPRequest {
        get { parts.head }
        _modify {
            makeOwn()
            yield &parts.head
        }
    }

    /// The body. Its content type is sent if the header fields contain no `Content-Type`.
    public var body: RequestBody {
        get { parts.body }
        _modify {
            makeOwn()
            yield &parts.body
        }
    }

    /// The options of the request, which override those of the chain.
    public var options: RequestOptions {
        get { parts.options }
        _modify {
            makeOwn()
            yield &parts.options
        }
    }

    private mutating func makeOwn() {
        if !isKnownUniquelyReferenced(&parts) { parts = parts.copy() }
    }
}

extension LoadRequest {
    private final class Parts: @unchecked Sendable {  // mutated only by a request that holds the only reference
        let id: RequestID
        var head: HTTPRequest
        var body: RequestBody
        var options: RequestOptions

        init(id: RequestID, head: HTTPRequest, body: RequestBody, options: RequestOptions) {
            self.id = id
            self.head = head
            self.body = body
            self.options = options
        }

        func copy() -> Parts { Parts(id: id, head: head, body: body, options: options) }
    }
}

extension LoadRequest {
    /// Creates a request for an absolute http or https URL, or for a path that an ``EnvironmentLoader`` completes.
    ///
    /// ```swift
    /// try LoadRequest(.get, "/search", query: ["q": "bread & butter"])   // /search?q=bread+%26+butter
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL or path, which is sent as it is written. Percent-encode values that you insert, such as a name in a path.
    ///   - query: Parameters to append to the URL's query. They are form-encoded (WHATWG URL).
    /// - Throws: ``LoadError`` with `.invalidRequest` if the string is not a valid URL, or if it contains user information or characters
    ///   that must be percent-encoded. A fragment is not an error; it is removed, because fragments are never sent.
    public init(
        _ method: HTTPRequest.Method,
        _ url: String,
        query: FormParameters = [:],
        headers: HTTPFields = [:],
        body: RequestBody = .empty
    ) throws(LoadError) {
        guard let target = RequestTarget(url) else { throw LoadError(.invalidRequest, explanation: Self.fault(in: url)) }
        self.init(method, target, headers: headers, body: body)
        guard !query.parameters.isEmpty else { return }
        let isOpen = target.path.utf8.last.map { [UInt8(ascii: "?"), UInt8(ascii: "&")].contains($0) } ?? false
        let separator = isOpen ? "" : target.path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        head.path = target.path + separator + query.encoded()
    }

    /// Returns why a string is not a valid target, without any part of it.
    private static func fault(in url: String) -> String {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "the URL or path has spaces, control characters or non-ASCII characters; percent-encode them"
        }
        let front = url.lowercased()
        guard front.hasPrefix("/") || front.hasPrefix("http://") || front.hasPrefix("https://") else {
            return "the URL is neither an absolute http or https URL nor a path that begins with a slash"
        }
        return "the URL has an invalid host or port, user information, or characters that must be percent-encoded"
    }

    /// Creates a request for a target that is known to be valid, such as that of a `Link` field.
    package init(_ method: HTTPRequest.Method, _ target: RequestTarget, headers: HTTPFields = [:], body: RequestBody = .empty) {
        self.init(
            HTTPRequest(method: method, scheme: target.scheme, authority: target.authority, path: target.path, headerFields: headers),
            body: body)
    }

    /// Creates a GET request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func get(_ url: String, query: FormParameters = [:], headers: HTTPFields = [:]) throws(LoadError) -> Self {
        try Self(.get, url, query: query, headers: headers)
    }

    /// Creates a HEAD request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func head(_ url: String, query: FormParameters = [:], headers: HTTPFields = [:]) throws(LoadError) -> Self {
        try Self(.head, url, query: query, headers: headers)
    }

    /// Creates a POST request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func post(_ url: String, headers: HTTPFields = [:], body: RequestBody) throws(LoadError) -> Self {
        try Self(.post, url, headers: headers, body: body)
    }

    /// Creates a PUT request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func put(_ url: String, headers: HTTPFields = [:], body: RequestBody) throws(LoadError) -> Self {
        try Self(.put, url, headers: headers, body: body)
    }

    /// Creates a PATCH request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func patch(_ url: String, headers: HTTPFields = [:], body: RequestBody) throws(LoadError) -> Self {
        try Self(.patch, url, headers: headers, body: body)
    }

    /// Creates a DELETE request for an absolute URL or a path.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the URL is not valid.
    public static func delete(_ url: String, query: FormParameters = [:], headers: HTTPFields = [:]) throws(LoadError) -> Self {
        try Self(.delete, url, query: query, headers: headers)
    }
}

/// Shows the method, the origin and the body's length. Everything else may contain secrets.
extension LoadRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let origin = Origin(head).map { " \($0)" } ?? ""
        return "\(head.method.rawValue)\(origin) (\(id))"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["request": description, "body": body] as KeyValuePairs<String, Any>) }
}

/// The ID of a request. All attempts and hops of the request have the same ID.
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
