public import AuthHub
import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes

/// An error of GitHub's API. Never contains a secret.
public struct GitHubError: Error {
    /// The kind of error; more codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// No response arrived, or no token was available; ``GitHubError/underlying`` says why.
        public static let notLoaded = Self("not_loaded")
        /// Status 401: GitHub rejected the token.
        public static let notSignedIn = Self("not_signed_in")
        /// Status 403: the token does not allow this request.
        public static let forbidden = Self("forbidden")
        /// Status 403 or 429 because of too many requests; ``GitHubError/retryAfter`` says how long to wait.
        public static let rateLimited = Self("rate_limited")
        /// Status 404: the resource does not exist, or the token does not allow access to it.
        public static let notFound = Self("not_found")
        /// The status of the response is not the expected one.
        public static let refused = Self("refused")
        /// The response does not match GitHub's documentation.
        public static let unexpectedResponse = Self("unexpected_response")
    }

    /// The kind of error. Unlike ``explanation``, the code can be compared.
    public let code: Code
    /// What was expected and what was received, with GitHub's own message, sanitized for display.
    public let explanation: String
    /// The HTTP status of an unexpected response; nil if there was no such response.
    public let status: Int?
    /// The number of seconds that GitHub asks the client to wait; nil if the response does not say.
    public let retryAfter: Int?
    /// The scopes to request at the next sign-in: those of the token and a missing one; empty if GitHub does not name any.
    package let requiredScopes: [String]
    /// The error of the request, if the code is `.notLoaded`; nil otherwise.
    public let underlying: LoadError?
    /// The session's error, if the request failed because no token was available; nil otherwise.
    public var sessionError: SessionError? { underlying?.sessionError }

    init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
        status = nil
        retryAfter = nil
        requiredScopes = []
        underlying = nil
    }

    init(_ error: LoadError) {
        code = error.code == .tooLarge ? .unexpectedResponse : .notLoaded
        explanation = error.description
        status = nil
        retryAfter = nil
        requiredScopes = []
        underlying = error
    }

    init(_ response: LoadResponse, body: [UInt8], expecting expectation: String, without redaction: Redaction) {
        let head = response.head
        status = head.status.code
        retryAfter = head.headerFields[.retryAfter].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        // Any of the accepted scopes is enough.
        let accepted = head.names(in: "X-Accepted-OAuth-Scopes")
        let own = head.names(in: "X-OAuth-Scopes")
        requiredScopes = accepted.isEmpty || accepted.contains(where: own.contains) ? [] : own + accepted.prefix(1)
        underlying = nil
        code =
            switch head.status.code {
            case 401: .notSignedIn
            case 429: .rateLimited
            case 403 where retryAfter != nil || head.isOutOfQuota: .rateLimited
            case 403: .forbidden
            case 404: .notFound
            default: .refused
            }
        let message = (try? JSONValue(received: body))?["message"]?.displayString.map { redaction.displaying($0, limit: 300) }
        var text = "expected \(expectation), but GitHub responded \(head.status.code)" + (message.map { ": \($0)" } ?? "")
        if head.status == .unauthorized, response.notes.isCredentialWithheld { text += "; \(LoadResponse.withheldCredentialExplanation)" }
        explanation = text
    }
}

extension GitHubError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension GitHubError: CustomStringConvertible {
    public var description: String { "\(code.description.codeInWords): \(explanation)" }
}

extension HTTPResponse {
    /// Returns the comma-separated names in a header field; empty if there is no such field.
    fileprivate func names(in field: String) -> [String] {
        let text = HTTPField.Name(field).flatMap { headerFields[$0] } ?? ""
        return text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
    }

    /// Whether the quota is exhausted, for which GitHub also responds with 403.
    fileprivate var isOutOfQuota: Bool {
        HTTPField.Name("X-RateLimit-Remaining").map { headerFields[$0] == "0" } ?? false
    }
}
