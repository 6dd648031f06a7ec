import AuthHubPrimitives

/// An error that an authorization server returned (RFC 6749 §4.1.2.1 and §5.2).
public struct ServerError: Sendable, Hashable {
    /// The standard error code. If the server uses its own codes, the provider's profile maps them to standard ones.
    public let code: ServerErrorCode
    /// The code as received, cleaned for display.
    package let originalCode: String
    /// The server's explanation as text that is safe to display, at most 500 characters; nil if there is none.
    public let explanation: String?
    /// The URL of a page about the error; nil unless it is an https URL.
    package let uri: String?
    /// The HTTP status of the response; nil if the error arrived in a callback.
    public let status: Int?
    /// How many seconds to wait (`Retry-After`, RFC 9110 §10.2.3, as seconds or as a date); at most 2³¹.
    package let retryAfter: Int?
    /// The new number of seconds between polls, if a `slow_down` error has one, as GitHub's does; at most 2³¹.
    package let interval: Int?

    private static let codeLimit = 100
    private static let explanationLimit = 500

    /// Creates an error. Strings are cleaned for display, and `originalCode` defaults to `code`.
    package init(
        code: ServerErrorCode,
        originalCode: String? = nil,
        explanation: String? = nil,
        uri: String? = nil,
        status: Int? = nil,
        retryAfter: Int? = nil,
        interval: Int? = nil
    ) {
        self.code = code
        self.originalCode = displayable(originalCode ?? code.rawValue, limit: Self.codeLimit)
        self.explanation = explanation.map { displayable($0, limit: Self.explanationLimit) }
        self.uri = uri.flatMap { $0.hasPrefix("https://") ? displayable($0, limit: 500) : nil }
        self.status = status
        self.retryAfter = retryAfter
        self.interval = interval.map { min($0, 1 << 31) }
    }
}

extension ServerError {
    /// Creates the error that a server returned, without the secrets of the request.
    ///
    /// - Parameter meaning: Returns the standard code for the received one.
    init(
        told code: String, explanation: String?, uri: String?, without redaction: Redaction, status: Int? = nil, retryAfter: Int? = nil,
        interval: Int? = nil, meaning: (ServerErrorCode) -> ServerErrorCode = { $0 }
    ) {
        let shown = redaction.displaying(code, limit: Self.codeLimit)
        self.init(
            code: meaning(ServerErrorCode(rawValue: shown)).withStandardDenial,
            originalCode: shown,
            explanation: explanation.map { redaction.displaying($0, limit: Self.explanationLimit) },
            // A redacted URL would lead elsewhere.
            uri: uri.flatMap { redaction.applied(to: $0).hasSameBytes(as: $0) ? $0 : nil },
            status: status,
            retryAfter: retryAfter,
            interval: interval)
    }
}

extension ServerError: CustomStringConvertible {
    public var description: String {
        var text = originalCode
        if let explanation, !explanation.isEmpty { text += ": \(explanation)" }
        if let status { text += " (HTTP \(status))" }
        return text
    }
}
