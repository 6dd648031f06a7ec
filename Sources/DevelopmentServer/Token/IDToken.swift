import AuthHubPrimitives
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServerState {
    /// Returns the ID token of a token response (OpenID Connect Core 1.0 §2). After a refresh, it has no nonce (§12.2).
    func idToken(for tokens: IssuedTokens, isRefresh: Bool) -> String? {
        let issuedAt = Int64(now.timeIntervalSince1970)
        var claims = JSONObject()
        claims["iss"] = .string(issuer)
        claims["sub"] = .string(String(tokens.grant.userID))
        claims["aud"] = .string(tokens.grant.clientID)
        claims["exp"] = .number(JSONNumber(issuedAt + 3600))
        claims["iat"] = .number(JSONNumber(issuedAt))
        claims["auth_time"] = .number(JSONNumber(Int64(tokens.grant.authenticatedAt.timeIntervalSince1970)))
        if !isRefresh { claims["nonce"] = tokens.grant.nonce.map { .string($0) } }
        claims["at_hash"] = .string(Self.hash(ofAccessToken: tokens.accessToken))
        return signingKey.sign(claims)
    }

    /// Returns the left half of the hash (OpenID Connect Core 1.0 §3.1.3.6).
    private static func hash(ofAccessToken token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8))).prefix(16))
    }
}
