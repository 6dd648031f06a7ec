package import AuthHubPrimitives

/// The tokens in a response of the token endpoint that is not accepted.
///
/// The server has issued them, and may have spent the refresh token that was sent (RFC 6749 §6): they must be stored or revoked.
package struct IssuedTokens: Sendable {
    package let accessToken: Secret<String>?
    package let refreshToken: Secret<String>?
    /// Whether the tokens must not be used, not even to refresh.
    package let mustBeRevoked: Bool
    /// The only origin that may get them; nil if any of the server's endpoints may.
    package let soleOrigin: Origin?

    /// - Returns: nil if there is no usable token. Without a usable access token, a refresh token counts only in what looks like a token
    ///   response: it has a type and no error. Anything else may repeat, masked, the refresh token that was sent.
    init?(in answer: JSONObject, quirks: ProviderQuirks.AnswerQuirks, mustBeRevoked: Bool, soleOrigin: Origin?) {
        let members = quirks.innerMembers(of: answer)
        accessToken = members[quirks.accessToken]?.string.flatMap { isUsableToken($0) ? Secret($0) : nil }
        let isTokenResponse = accessToken != nil || (members[quirks.tokenType] != nil && answer["error"] == nil)
        refreshToken = isTokenResponse ? members[quirks.refreshToken]?.string.flatMap(Self.refreshToken) : nil
        self.mustBeRevoked = mustBeRevoked
        self.soleOrigin = soleOrigin
        if accessToken == nil, refreshToken == nil { return nil }
    }

    /// RFC 6749 App. A.17.
    static func refreshToken(_ text: String) -> Secret<String>? {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? Secret(text) : nil
    }
}
