/// An error code that is registered (RFC 6749 §11.4) or specific to a server. Values other than the constants are possible.
public struct ServerErrorCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a code from the string that a server sends.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The user or the server denied the request (RFC 6749 §4.1.2.1).
    public static let accessDenied = Self(rawValue: "access_denied")
    /// Words that name what was denied or who denied it, in codes such as `user_cancelled_login` or `authorization-declined`.
    private static let deniable: Set<String> = [
        "access", "authorization", "authorisation", "authorize", "authorise", "by", "consent", "login", "permission", "signin", "user",
    ]
    private static let denials: Set<String> = ["cancelled", "canceled", "declined", "denied", "refused", "rejected"]

    /// `access_denied` for the codes that some servers return instead; otherwise the code itself.
    var withStandardDenial: Self {
        let words = Self.words(of: rawValue)
        guard words.allSatisfy({ Self.deniable.contains($0) || Self.denials.contains($0) }), words.contains(where: Self.denials.contains)
        else { return self }
        return .accessDenied
    }

    /// The words of a code, separated by anything other than letters or by capital letters, in lower case.
    private static func words(of code: String) -> [String] {
        var words = [""]
        var isAfterLowercase = false
        for character in code {
            if !character.isLetter || (character.isUppercase && isAfterLowercase) { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() }
            isAfterLowercase = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    /// The user has not decided yet (RFC 8628 §3.5).
    package static let authorizationPending = Self(rawValue: "authorization_pending")
    /// The device code has expired (RFC 8628 §3.5).
    package static let expiredToken = Self(rawValue: "expired_token")
    /// The authentication of the client failed (RFC 6749 §5.2).
    public static let invalidClient = Self(rawValue: "invalid_client")
    /// The code, refresh token or other grant is invalid, expired or revoked (RFC 6749 §5.2).
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    /// A parameter is missing, repeated, invalid or not supported (RFC 6749 §4.1.2.1, §5.2).
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// The requested scope is invalid, unknown or malformed, or exceeds what was granted (RFC 6749 §4.1.2.1, §5.2).
    public static let invalidScope = Self(rawValue: "invalid_scope")
    /// The requested resource is invalid, missing, unknown or malformed (RFC 8707 §2).
    package static let invalidTarget = Self(rawValue: "invalid_target")
    /// The server encountered an unexpected condition. In a callback, this code is used instead of HTTP status 500 (RFC 6749 §4.1.2.1).
    package static let serverError = Self(rawValue: "server_error")
    /// The user has to consent, to choose an account, to sign in, or to do something else (OpenID Connect Core 1.0 §3.1.2.6). A server that
    /// has shown a page returns these if the user did not.
    package static let userActionRequired: Set<Self> = [
        Self(rawValue: "consent_required"), Self(rawValue: "account_selection_required"), Self(rawValue: "login_required"),
        Self(rawValue: "interaction_required"),
    ]
    /// The client must poll less often (RFC 8628 §3.5).
    package static let slowDown = Self(rawValue: "slow_down")
    /// The server is overloaded or under maintenance. In a callback, this code is used instead of HTTP status 503 (RFC 6749 §4.1.2.1).
    package static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
    /// The client is not allowed to use this grant or response type (RFC 6749 §4.1.2.1, §5.2).
    package static let unauthorizedClient = Self(rawValue: "unauthorized_client")
    /// The server does not support the grant type (RFC 6749 §5.2).
    package static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
    /// The server does not support the response type (RFC 6749 §4.1.2.1).
    package static let unsupportedResponseType = Self(rawValue: "unsupported_response_type")
    /// The server cannot revoke tokens of this type (RFC 7009 §2.2.1).
    package static let unsupportedTokenType = Self(rawValue: "unsupported_token_type")
}
