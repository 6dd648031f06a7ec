public import AuthHubPrimitives

extension ProviderQuirks {
    /// How the answers of the provider's endpoints for machines are read.
    public struct AnswerQuirks: Sendable, Hashable {
        /// What an answer may be written in.
        public enum Encoding: String, Sendable, Hashable, CaseIterable {
            case json
            /// Where the media type says it is a form.
            case form
            /// A form that calls itself `text/plain`.
            case formAsPlainText = "form_as_plain_text"
        }

        /// What is taken; anything else is no answer.
        public var encodings: Set<Encoding> = [.json, .form]
        /// The object that holds what is said of the token, where it is there and has an access token; else the whole answer does.
        public var envelope: MemberPath?
        /// Where the access token is, as the next three say for what they are named after.
        public var accessToken: MemberPath = "access_token"
        public var refreshToken: MemberPath = "refresh_token"
        public var tokenType: MemberPath = "token_type"
        public var scope: MemberPath = "scope"
        /// How many seconds the access token lives from now.
        public var lifetime: MemberPath = "expires_in"
        /// When the access token ends, for answers without a lifetime: seconds since 1970.
        public var end: MemberPath?
        /// How many seconds the refresh token lives from now.
        public var refreshTokenLifetime: MemberPath = "refresh_token_expires_in"
        /// Whether the granted scope may be a list of texts.
        public var scopeMayBeList = false
        /// What token types of the provider's own are, by their names in lower case.
        public var tokenTypes: [String: TokenType] = [:]
        /// The standard codes behind error names of the provider's own.
        public var errorCodes: [String: ServerErrorCode] = [:]
        /// Whether a pushed request may be answered with status 200 in place of 201 (RFC 9126 §2.2).
        public var takesOKForPushedRequests = false
        /// Whether a registration may be answered with status 200 in place of 201 (RFC 7591 §3.2.1).
        public var takesOKForRegistrations = false
        /// The dresses that errors come in besides that of RFC 6749 §5.2, tried in order.
        public var errors: [ErrorFormat] = []

        public init() {}
    }

    /// How to know an error by its members, and what they mean.
    public struct ErrorFormat: Sendable, Hashable {
        /// The member that tells: it is an error where it is there, not null, and as ``value`` says.
        public var sign: MemberPath
        /// nil for any value.
        public var value: JSONValue?
        /// Whether it is looked at only where the status is an error's, too.
        public var needsFailureStatus: Bool
        /// The error's name: a text or a number.
        public var code: MemberPath
        /// Where words for people are.
        public var explanation: MemberPath?

        public init(
            sign: MemberPath, value: JSONValue? = nil, needsFailureStatus: Bool = false, code: MemberPath, explanation: MemberPath? = nil
        ) {
            self.sign = sign
            self.value = value
            self.needsFailureStatus = needsFailureStatus
            self.code = code
            self.explanation = explanation
        }
    }
}

/// Where a member of a JSON text is: names with dots between, a number for a place in a list: `authed_user.access_token`.
public struct MemberPath: Sendable, Hashable {
    private let first: String
    private let rest: [String]

    /// - Returns: nil for a text with an empty part.
    public init?(_ text: String) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains("") else { return nil }
        first = parts.removeFirst()
        rest = parts
    }
}

extension MemberPath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// For texts in programs, which have no empty part.
    public init(stringLiteral value: String) {
        var parts = value.split(separator: ".").map(String.init)
        first = parts.isEmpty ? value : parts.removeFirst()
        rest = parts
    }

    public var description: String { ([first] + rest).joined(separator: ".") }
}

extension ProviderQuirks.AnswerQuirks {
    /// The members that speak of the token.
    func innerMembers(of answer: JSONObject) -> JSONObject {
        guard let envelope, let inner = answer[envelope]?.object, inner[accessToken] != nil else { return answer }
        return inner
    }
}

extension JSONObject {
    /// The member at a place, whatever lies above it being what the place says.
    subscript(path: MemberPath) -> JSONValue? { path.value(in: self) }
}

extension MemberPath {
    fileprivate func value(in object: JSONObject) -> JSONValue? {
        var value = object[first]
        for name in rest {
            switch value {
            case .object(let object): value = object[name]
            case .array(let elements): value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: return nil
            }
        }
        return value
    }
}
