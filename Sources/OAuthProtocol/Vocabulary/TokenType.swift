/// The type of an access token (RFC 6749 §7.1). Only bearer tokens are supported.
public enum TokenType: String, Sendable, Hashable {
    case bearer = "Bearer"
}
