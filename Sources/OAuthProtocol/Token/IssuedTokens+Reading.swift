import AuthHubPrimitives

extension IssuedTokens {
    /// - Returns: nil if there is no usable token. Without a usable access token, a refresh token counts only if the body looks like a
    ///   token response: it has a type and no error. Any other body may repeat the refresh token that was sent, in masked form.
    init?(in answer: JSONObject, quirks: ProviderQuirks.ResponseQuirks, mustBeRevoked: Bool, soleOrigin: Origin?) {
        let members = quirks.innerMembers(of: answer)
        let accessToken = members[quirks.accessToken]?.string.flatMap { isUsableToken($0) ? Secret($0) : nil }
        let isTokenResponse = accessToken != nil || (members[quirks.tokenType] != nil && answer["error"] == nil)
        let refreshToken = isTokenResponse ? members[quirks.refreshToken]?.string.flatMap(Self.refreshToken) : nil
        if accessToken == nil, refreshToken == nil { return nil }
        self.init(accessToken: accessToken, refreshToken: refreshToken, mustBeRevoked: mustBeRevoked, soleOrigin: soleOrigin)
    }

    /// Reads the members of a response that is not valid JSON. If a name occurs twice, the last value counts, but any of its refresh tokens
    /// may be the right one.
    init?(salvaged members: [(name: String, value: JSONValue)], quirks: ProviderQuirks.ResponseQuirks, soleOrigin: Origin?) {
        var answer = JSONObject()
        for (name, value) in members { answer[name] = value }
        self.init(in: answer, quirks: quirks, mustBeRevoked: false, soleOrigin: soleOrigin)
        guard let refreshToken else { return }
        for (name, value) in members {
            answer[name] = value
            let other = quirks.innerMembers(of: answer)[quirks.refreshToken]?.string.flatMap(Self.refreshToken)
            if let other, other != refreshToken, !otherRefreshTokens.contains(other) { otherRefreshTokens.append(other) }
        }
    }

    /// RFC 6749 App. A.17.
    static func refreshToken(_ text: String) -> Secret<String>? {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? Secret(text) : nil
    }
}
