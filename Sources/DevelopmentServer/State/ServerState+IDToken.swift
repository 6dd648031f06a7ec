import AuthHubPrimitives
import Platform
import Synchronization

/// The contents of an ID token besides the user and the sign-in.
struct IDTokenContents: Sendable {
    /// The values in the same message, whose hashes it contains (OpenID Connect Core 1.0 §3.3.2.11, FAPI 1.0 Advanced §5.1.1).
    var accessToken: String?
    var code: String?
    var state: String?
    /// Whether it repeats the request's nonce; false after a refresh (OpenID Connect Core 1.0 §12.2).
    var hasNonce = true
    /// Whether it has the claims of the granted scope, because there is no access token for the userinfo endpoint (§5.4).
    var hasUserClaims = false
}

extension ServerState {
    /// Returns the ID token of a token response.
    func idToken(for tokens: IssuedTokens, isRefresh: Bool) -> String? {
        idToken(
            for: tokens.grant, scope: tokens.scope, with: IDTokenContents(accessToken: tokens.accessToken, hasNonce: !isRefresh))
    }

    /// Returns an ID token (OpenID Connect Core 1.0 §2), signed with the algorithm that the client registered.
    ///
    /// - Parameter scope: The granted scope; nil for the whole grant's.
    func idToken(for grant: AuthorizationGrant, scope: [String]? = nil, with contents: IDTokenContents) -> String? {
        let quirks = openIDConnect.withLock { $0 }
        let client = client(id: grant.clientID)
        if quirks.keyRotation == .beforeSigning { rotateKeys() }
        guard let signer = signer(client?.idTokenAlgorithm ?? quirks.algorithm, for: client) else { return nil }
        var claims = claims(of: grant)
        if contents.hasNonce { claims["nonce"] = grant.nonce.map { .string($0) } }
        for (name, value) in [("at_hash", contents.accessToken), ("c_hash", contents.code), ("s_hash", contents.state)] {
            claims[name] = value.map { .string(signer.algorithm.halfHash(of: $0)) }
        }
        if contents.hasUserClaims || quirks.hasUserClaimsInIDToken, let user = user(id: grant.userID) {
            let userClaims = quirks.userClaims(of: user, scope: scope ?? grant.scope, requested: grant.requestedClaims, issuer: issuer)
            for claim in userClaims.members { claims[claim.name] = claim.value }
        }
        for (name, value) in quirks.constantClaims.sorted(by: { $0.key < $1.key }) {
            claims[name] = value.string.map { .string($0.replacing("{user}", with: String(grant.userID))) } ?? value
        }
        let token = signer.token(claims)
        if quirks.keyRotation == .afterSigning {
            rotateKeys()
            withdrawKeys()
        }
        return token
    }

    private func claims(of grant: AuthorizationGrant) -> JSONObject {
        let issuedAt = Int64(now.timeIntervalSince1970)
        var claims = JSONObject()
        let tenant = persona.openIDConnect.tenant
        claims["iss"] = .string(tenant.map { "\(issuer)/\($0)/v2.0" } ?? issuer)
        claims["tid"] = tenant.map { .string($0) }
        claims["sub"] = .string(String(grant.userID))
        claims["aud"] = .string(grant.clientID)
        claims["exp"] = .number(JSONNumber(issuedAt + 3600))
        claims["iat"] = .number(JSONNumber(issuedAt))
        claims["auth_time"] = .number(JSONNumber(Int64(grant.authenticatedAt.timeIntervalSince1970)))
        claims["sid"] = grant.sessionID.map { .string($0) }
        claims["acr"] = grant.contextClass.map { .string($0) }
        claims["amr"] = ["pwd"]
        return claims
    }
}
