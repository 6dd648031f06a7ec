import AuthHubPrimitives
import Platform

extension TokenResponse {
    /// Reads the token in a callback of the implicit grant (RFC 6749 §4.2.2).
    ///
    /// - Parameter requested: The requested scope, which a response without a scope grants.
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the token or its type is missing or unusable.
    init(
        callback parameters: FormParameters, as expected: ExpectedResponse, requested: Scope, at now: Date
    ) throws(OAuthError) {
        guard let token = parameters["access_token"], !token.isEmpty else {
            throw OAuthError(.invalidResponse, "the callback has neither an access_token nor an error")
        }
        accessToken = try Self.usable(token)
        tokenType = try Self.type(parameters["token_type"], as: expected)
        var irregularities: [String] = []
        expiresAt = Self.lifetime(parameters["expires_in"], &irregularities).map { now.addingTimeInterval($0) }
        if parameters["refresh_token"] != nil {
            irregularities.append("the callback has a refresh_token, which is not allowed (RFC 6749 §4.2.2); it was ignored")
        }
        refreshToken = nil
        refreshTokenExpiresAt = nil
        let granted = parameters.exact("scope").map {
            Scope(granted: $0, separators: expected.grantedScopeSeparators, requested: requested)
        }
        if case .some(nil) = granted { irregularities.append("the callback's scope has commas, so the granted scope is unknown") }
        scope = (granted ?? nil) ?? requested
        var members = JSONObject()
        for parameter in parameters.parameters where members[parameter.name] == nil && parameter.name != "refresh_token" {
            members[parameter.name] = parameter.json
        }
        self.members = Secret(members)
        self.irregularities = irregularities
    }

    /// Creates a response from a token that the user pasted. Nothing else is known about it.
    init(pasted token: Secret<String>, as expected: ExpectedResponse, requested: Scope) throws(OAuthError) {
        accessToken = try Self.usable(token.reveal())
        tokenType = expected.defaultTokenType ?? .bearer
        expiresAt = nil
        refreshToken = nil
        refreshTokenExpiresAt = nil
        scope = requested
        members = Secret(JSONObject())
        irregularities = ["the token was pasted, so its expiry is unknown"]
    }

    /// Visible ASCII only: anything else could break out of a header field (RFC 6749 App. A.12, RFC 6750 §2.1).
    private static func usable(_ token: String) throws(OAuthError) -> Secret<String> {
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuthError(.invalidResponse, "the access_token has characters that are not allowed in tokens")
        }
        return Secret(token)
    }

    private static func type(_ text: String?, as expected: ExpectedResponse) throws(OAuthError) -> TokenType {
        guard let text, !text.isEmpty else {
            guard let type = expected.defaultTokenType else { throw OAuthError(.invalidResponse, "the callback has no token_type") }
            return type
        }
        return try tokenType(.string(text), known: [:])
    }

    /// Reads seconds, at most 2³¹. If the value is not a number of seconds, the expiry is unknown, and the token is still valid.
    private static func lifetime(_ text: String?, _ irregularities: inout [String]) -> Double? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let seconds = Double(text) else {
            irregularities.append("the callback's expires_in is not a number of seconds, so the token's expiry is unknown")
            return nil
        }
        guard seconds > 0 else {
            irregularities.append("the callback's expires_in is 0, so the token's expiry is unknown")
            return nil
        }
        return min(seconds, 2_147_483_648)
    }
}
