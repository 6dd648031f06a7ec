/// The type of response that an authorization request asks for (RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Type Encoding Practices §3
/// and §5).
package enum ResponseType: String, Sendable, Hashable, CaseIterable {
    /// A code, which is exchanged for tokens over the back channel: the grant of RFC 6749 §4.1, with PKCE.
    case code
    /// The access token itself, in the fragment of the callback: the implicit grant of RFC 6749 §4.2.
    case token
    /// An access token and an ID token: the implicit flow of OpenID Connect Core 1.0 §3.2.
    case idTokenToken = "id_token token"
    /// A code and an ID token: a hybrid flow of OpenID Connect Core 1.0 §3.3.
    case codeIDToken = "code id_token"
    /// A code and an access token, which is not used: a hybrid flow.
    case codeToken = "code token"
    /// A code, an ID token and an access token, which is not used: a hybrid flow.
    case codeIDTokenToken = "code id_token token"
}

extension ResponseType {
    package var hasCode: Bool {
        switch self {
        case .code, .codeIDToken, .codeToken, .codeIDTokenToken: true
        case .token, .idTokenToken: false
        }
    }

    package var hasToken: Bool {
        switch self {
        case .token, .idTokenToken, .codeToken, .codeIDTokenToken: true
        case .code, .codeIDToken: false
        }
    }

    package var hasIDToken: Bool {
        switch self {
        case .idTokenToken, .codeIDToken, .codeIDTokenToken: true
        case .code, .token, .codeToken: false
        }
    }

    /// The mode of responses to requests without a `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1 and §5).
    package var defaultMode: ResponseMode { self == .code ? .query : .fragment }
}
