/// How an access token is presented (RFC 6749 §7.1). Only bearer tokens are supported.
public enum TokenType: String, Sendable, Hashable {
    case bearer = "Bearer"
}
