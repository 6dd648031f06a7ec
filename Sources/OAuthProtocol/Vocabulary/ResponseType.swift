/// The type of response that an authorization request asks for (RFC 6749 §3.1.1).
package enum ResponseType: String, Sendable, Hashable, CaseIterable {
    /// A code, which is exchanged for tokens over the back channel: the grant of RFC 6749 §4.1, with PKCE.
    case code
    /// The access token itself, in the fragment of the callback: the implicit grant of RFC 6749 §4.2.
    case token
}

extension ResponseType {
    /// The mode of responses to requests without a `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1 and §5).
    package var defaultMode: ResponseMode {
        switch self {
        case .code: .query
        case .token: .fragment
        }
    }
}
