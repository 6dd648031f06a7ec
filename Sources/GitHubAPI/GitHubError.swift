import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes

/// Why GitHub's API did not give what was asked for. Never holds a secret.
public struct GitHubError: Error {
    /// What went wrong; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// Nothing was answered, or no token could be had: ``GitHubError/underlying`` says why.
        public static let notLoaded = Self("not loaded")
        /// 401: the token is not taken.
        public static let notSignedIn = Self("not signed in")
        /// 403: the token does not allow this.
        public static let forbidden = Self("forbidden")
        /// 403 or 429 because of too many requests; ``GitHubError/retryAfter`` says for how long.
        public static let rateLimited = Self("rate limited")
        /// 404: there is no such thing, or the token does not allow to know of it.
        public static let notFound = Self("not found")
        /// Another status than the expected one.
        public static let refused = Self("refused")
        /// The answer is not what GitHub documents.
        public static let unexpectedAnswer = Self("unexpected response")
    }

    public let code: Code
    /// What was expected, what came, and what GitHub says about it, cleaned for display.
    public let explanation: String
    /// The HTTP status of an answer that was none of the expected.
    public let status: Int?
    /// How many seconds GitHub asks to wait.
    public let retryAfter: Int?
    public let underlying: LoadError?

    init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
        status = nil
        retryAfter = nil
        underlying = nil
    }

    init(_ error: LoadError) {
        code = error.code == .tooLarge ? .unexpectedAnswer : .notLoaded
        explanation = error.description
        status = nil
        retryAfter = nil
        underlying = error
    }

    init(_ head: HTTPResponse, body: [UInt8], expecting expectation: String, without redaction: Redaction) {
        status = head.status.code
        retryAfter = head.headerFields[.retryAfter].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
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
        let message = (try? JSONValue(strict: body))?["message"]?.string.map { redaction.displaying($0, limit: 300) }
        explanation = "expected \(expectation), but GitHub responded \(head.status.code)" + (message.map { ": \($0)" } ?? "")
    }
}

extension GitHubError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension GitHubError: CustomStringConvertible {
    public var description: String { "\(code): \(explanation)" }
}

extension HTTPResponse {
    /// GitHub says 403 for an exhausted quota too.
    fileprivate var isOutOfQuota: Bool {
        HTTPField.Name("X-RateLimit-Remaining").map { headerFields[$0] == "0" } ?? false
    }
}
