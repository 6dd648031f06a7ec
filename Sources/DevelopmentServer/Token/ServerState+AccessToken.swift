import AuthHubPrimitives
import Platform
import Synchronization

extension ServerState {
    /// Returns the tokens with a signed access token (RFC 9068 §2), if the persona signs those for resources and there is a resource.
    func signed(_ tokens: IssuedTokens) -> IssuedTokens {
        guard let client = client(id: tokens.grant.clientID), persona.tokens(for: client).signsAccessTokensForResources,
            tokens.members["access_token"] == nil, let lifetime = tokens.accessTokenLifetime,
            let audience = grants.withLock({ $0.holder(ofAccessToken: tokens.accessToken, at: now) })?.audience, !audience.isEmpty,
            let text = signer(openIDConnect.withLock(\.algorithm), for: nil)?
                .token(claims(of: tokens, for: audience, lifetime: lifetime), type: "at+jwt")
        else { return tokens }
        var signed = tokens
        signed.accessToken = text
        grants.withLock { $0.issue(tokens.accessToken, as: text) }
        return signed
    }

    private func claims(of tokens: IssuedTokens, for audience: [String], lifetime: Duration) -> JSONObject {
        let grant = tokens.grant
        let issuedAt = Int64(now.timeIntervalSince1970)
        let isForUser = grant.userID != AuthorizationGrant.nobody
        var claims = JSONObject()
        claims["iss"] = .string(issuer)
        claims["sub"] = .string(isForUser ? String(grant.userID) : grant.clientID)
        claims["aud"] = audience.count == 1 ? .string(audience[0]) : .array(audience.map { .string($0) })
        claims["client_id"] = .string(grant.clientID)
        claims["jti"] = .string(Base64URL.encode(randomBytes(count: 12)))
        claims["scope"] = .string(tokens.scope.joined(separator: " "))
        claims["iat"] = .number(JSONNumber(issuedAt))
        claims["exp"] = .number(JSONNumber(issuedAt + lifetime.components.seconds))
        if isForUser { claims["auth_time"] = .number(JSONNumber(Int64(grant.authenticatedAt.timeIntervalSince1970))) }
        return claims
    }
}
