public import AuthHubPrimitives

/// A change to a token as a whole.
public enum TokenChange: Sendable, Hashable {
    /// The token has this many parts; additional ones are `AA`.
    case parts(Int)
    /// The claims are followed by `=`, or by as many of them as base64 requires.
    case padded
    /// The header is encoded as base64, with a character that base64url does not have.
    case standardAlphabet
    /// This text is inserted into the claims.
    case inserted(String)
    /// The claims are these bytes instead.
    case payload([UInt8])
    /// The header is these bytes instead.
    case header([UInt8])
    /// The header has a member at the start, even if it already has one with this name.
    case repeatedHeader(String, JSONValue)
    /// The claims have a member at the start, even if they already have one with this name.
    case repeatedClaim(String, JSONValue)
    /// `kid` is a new random text.
    case randomKeyID
    /// `at_hash` is the whole hash of the access token, instead of the left half.
    case wholeAccessTokenHash
    /// `at_hash` is the hash of the access token by SHA-384.
    case otherAccessTokenHash
    /// An encrypted token with this header. No key decrypts it.
    case encrypted(JSONValue)
    /// The access token is sent instead of the token.
    case accessToken
    /// The first token that the server sends with this change is sent again instead of all later tokens.
    case replayed
}
