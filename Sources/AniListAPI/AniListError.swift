import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes

/// Why AniList's API did not give what was asked for. Never holds a secret.
public struct AniListError: Error {
    /// What went wrong; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// Nothing was answered, or no token could be had: ``AniListError/underlying`` says why.
        public static let notLoaded = Self("not loaded")
        /// 401, or 400 with the words that AniList has for it: the token is missing, ended or not taken.
        public static let notSignedIn = Self("not signed in")
        /// 429; ``AniListError/retryAfter`` says for how long.
        public static let rateLimited = Self("rate limited")
        /// 404: there is no such thing.
        public static let notFound = Self("not found")
        /// The query was not carried out; ``AniListError/messages`` say why.
        public static let refused = Self("refused")
        /// The answer is not what was asked for.
        public static let unexpectedAnswer = Self("unexpected response")
    }

    /// What went wrong.
    public let code: Code
    /// What was wrong, in words that may be shown.
    public let explanation: String
    /// What AniList says in the answer's `errors` (GraphQL, October 2021, §7.1.2), cleaned for display: ten at most, 300 characters each.
    public let messages: [String]
    /// The HTTP status of an answer that was none of the expected.
    public let status: Int?
    /// How many seconds AniList asks to wait.
    public let retryAfter: Int?
    public let underlying: LoadError?

    init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
        messages = []
        status = nil
        retryAfter = nil
        underlying = nil
    }

    /// The answer lacks something that the query asked for.
    public init(missing: String) {
        self.init(.unexpectedAnswer, "AniList's response lacks \(displayable(missing, limit: 100))")
    }

    init(_ error: LoadError) {
        code = error.code == .tooLarge ? .unexpectedAnswer : .notLoaded
        explanation = error.description
        messages = []
        status = nil
        retryAfter = nil
        underlying = error
    }

    init(_ head: HTTPResponse, _ json: JSONValue?, without redaction: Redaction) {
        let errors = (json?["errors"]?.array ?? []).prefix(10)
        messages = errors.compactMap { $0["message"]?.string.map { redaction.displaying($0, limit: 300) } }
        status = head.status.code
        retryAfter = head.headerFields[.retryAfter].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        underlying = nil
        // Where GraphQL errors come with status 200, they name the one that would have been.
        let status = head.status.code == 200 ? errors.lazy.compactMap { $0["status"]?.number?.int64 }.first ?? 200 : Int64(head.status.code)
        code =
            switch status {
            case 401: .notSignedIn
            case 400 where messages.contains("Invalid token"): .notSignedIn
            case 429: .rateLimited
            case 404: .notFound
            case 200 where errors.isEmpty: .unexpectedAnswer
            default: .refused
            }
        explanation = "AniList responded \(head.status.code)" + (messages.isEmpty ? "" : ": " + messages.joined(separator: "; "))
    }
}

extension AniListError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension AniListError: CustomStringConvertible {
    public var description: String { "\(code): \(explanation)" }
}
