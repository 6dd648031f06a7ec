import AuthHubPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServerState {
    /// Returns the ID token of a token response (OpenID Connect Core 1.0 §2), signed with the algorithm that the client registered. After a
    /// refresh, it has no nonce (§12.2).
    func idToken(for tokens: IssuedTokens, isRefresh: Bool) -> String? {
        let quirks = openIDConnect.withLock { $0 }
        let client = client(id: tokens.grant.clientID)
        if quirks.keyRotation == .beforeSigning { rotateKeys() }
        guard let signer = signer(client?.idTokenAlgorithm ?? quirks.algorithm, for: client) else { return nil }
        var claims = claims(of: tokens.grant)
        if !isRefresh { claims["nonce"] = tokens.grant.nonce.map { .string($0) } }
        claims["at_hash"] = .string(signer.algorithm.halfHash(of: tokens.accessToken))
        if quirks.hasUserClaimsInIDToken, let user = user(id: tokens.grant.userID) {
            for claim in quirks.userClaims(of: user, in: tokens, issuer: issuer).members { claims[claim.name] = claim.value }
        }
        for (name, value) in quirks.constantClaims.sorted(by: { $0.key < $1.key }) {
            claims[name] = value.string.map { .string($0.replacing("{user}", with: String(tokens.grant.userID))) } ?? value
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
