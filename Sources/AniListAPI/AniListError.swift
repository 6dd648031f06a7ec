public import AuthHub
import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes

/// An error of AniList's API. Never contains a secret.
public struct AniListError: Error {
    /// The kind of error; more codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// No response arrived, or no token was available; ``AniListError/underlying`` says why.
        public static let notLoaded = Self("not_loaded")
        /// Status 401, or status 400 with AniList's message for an invalid token: the token is missing, expired or rejected.
        public static let notSignedIn = Self("not_signed_in")
        /// Status 429; ``AniListError/retryAfter`` says how long to wait.
        public static let rateLimited = Self("rate_limited")
        /// Status 404: the resource does not exist.
        public static let notFound = Self("not_found")
        /// AniList did not execute the query; ``AniListError/messages`` says why.
        public static let refused = Self("refused")
        /// The response does not match the query.
        public static let unexpectedResponse = Self("unexpected_response")
    }

    /// The kind of error.
    public let code: Code
    /// What went wrong, suitable for display.
    public let explanation: String
    /// AniList's own messages from the `errors` of the response (GraphQL, October 2021, §7.1.2), sanitized for display: at most ten
    /// messages of 300 characters each.
    public let messages: [String]
    /// The HTTP status of an unexpected response; nil if there was no such response.
    public let status: Int?
    /// The number of seconds that AniList asks the client to wait; nil if the response does not say.
    public let retryAfter: Int?
    /// The error of the request, if the code is `.notLoaded`; nil otherwise.
    public let underlying: LoadError?
    /// The session's error, if the request failed because no token was available; nil otherwise.
    public var sessionError: SessionError? { underlying?.sessionError }

    init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
        messages = []
        status = nil
        retryAfter = nil
        underlying = nil
    }

    /// Creates an error for a response that lacks a value that the query requested.
    ///
    /// - Parameter missing: The name of the value for the error's explanation, such as "the title".
    public init(missing: String) {
        self.init(.unexpectedResponse, "AniList's response lacks \(displayable(missing, limit: 100))")
    }

    init(_ error: LoadError) {
        code = error.code == .tooLarge ? .unexpectedResponse : .notLoaded
        explanation = error.description
        messages = []
        status = nil
        retryAfter = nil
        underlying = error
    }

    init(_ response: LoadResponse, _ json: JSONValue?, without redaction: Redaction) {
        let head = response.head
        let errors = (json?["errors"]?.array ?? []).prefix(10)
        messages = errors.compactMap { $0["message"]?.displayString.map { redaction.displaying($0, limit: 300) } }
        status = head.status.code
        retryAfter = head.headerFields[.retryAfter].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        underlying = nil
        // A GraphQL error with status 200 contains the status that the response would otherwise have.
        let status = head.status.code == 200 ? errors.lazy.compactMap { $0["status"]?.number?.int64 }.first ?? 200 : Int64(head.status.code)
        code =
            switch status {
            case 401: .notSignedIn
            case 400 where messages.contains("Invalid token"): .notSignedIn
            case 429: .rateLimited
            case 404: .notFound
            case 200 where errors.isEmpty: .unexpectedResponse
            default: .refused
            }
        var text = "AniList responded \(head.status.code)" + (messages.isEmpty ? "" : ": " + messages.joined(separator: "; "))
        if head.status == .unauthorized, response.notes.isCredentialWithheld { text += "; \(LoadResponse.withheldCredentialExplanation)" }
        explanation = text
    }
}

extension AniListError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension AniListError: CustomStringConvertible {
    public var description: String { "\(code.description.codeInWords): \(explanation)" }
}
