package import AuthHubPrimitives
package import JOSE
package import Platform

/// A provider's message that a user has signed out there (OpenID Connect Back-Channel Logout 1.0 §2.4). It has passed every check.
package struct LogoutToken: Sendable {
    package let issuer: String
    /// The user; nil if only the session is named.
    package let subject: String?
    /// The user's session at the provider; nil if all sessions of the user are meant.
    package let sessionID: String?
    /// The identifier of the message, which must not be accepted twice.
    package let id: String
    package let expiresAt: Date

    /// The maximum age of a token, in seconds. Tokens that are older are rejected, so their IDs need not be remembered.
    private static let lifetime = 3600.0
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// - Throws: ``OAuthError`` with `.securityCheckFailed`. If no key fits, it has a `JOSEError` with `.noKey`.
    package init(
        _ text: Secret<String>, keys: JSONWebKeySet, client: OAuthClient, at server: ProviderProfile, now: Date
    ) throws(OAuthError) {
        // OpenID Connect Back-Channel Logout 1.0 §2.4: the keys and algorithms are those of ID tokens.
        let text = try client.opened(text, as: client.registered.idTokenEncryption, called: "the logout token", at: now)
        let claims: JSONObject
        let keyIssuer: String?
        do throws(JOSEError) {
            let signature = try JSONWebSignature(text)
            try signature.header.checkType(["jwt", "logout+jwt"], canBeMissing: true)
            let payload = try signature.verified(by: keys, allowing: server.idTokenAlgorithms(for: client))
            claims = try payload.claims
            keyIssuer = server.quirks.identity.keysHaveIssuers ? payload.keyIssuer : nil
        } catch {
            throw OAuthError(.securityCheckFailed, "the logout token was rejected: \(error.explanation)", underlying: error)
        }
        do throws(ClaimProblem) {
            let reader = ClaimsReader(claims: claims)
            try reader.checkKey(of: keyIssuer, signing: reader.text("iss"))
            try self.init(reader, clientID: client.id, at: server, now: now)
        } catch {
            throw OAuthError(.securityCheckFailed, "the logout token was rejected: \(error.explanation)")
        }
    }

    /// OpenID Connect Back-Channel Logout 1.0 §2.6.
    private init(_ reader: ClaimsReader, clientID: String, at server: ProviderProfile, now: Date) throws(ClaimProblem) {
        issuer = try reader.text("iss")
        guard let expected = server.idTokenIssuer else { throw ClaimProblem("the provider's issuer is unknown") }
        try reader.checkIssuer(is: expected)
        try reader.checkAudience(reader.audience(), contains: clientID)
        try reader.checkTimes(at: now, tolerance: server.quirks.identity.clockTolerance)
        let issuedAt = try reader.time("iat")
        guard issuedAt >= now.addingTimeInterval(-Self.lifetime) else { throw ClaimProblem("it was issued long ago (iat)") }
        expiresAt = min(try reader.time("exp"), issuedAt.addingTimeInterval(Self.lifetime))
        guard reader.claims["events"]?[Self.event]?.object != nil else { throw ClaimProblem("its events do not contain a logout") }
        guard reader.claims["nonce"] == nil else { throw ClaimProblem("it has a nonce, so it may be an ID token") }
        id = try reader.text("jti")
        guard !id.isEmpty else { throw ClaimProblem("its jti is empty") }
        subject = reader.claims["sub"] == nil ? nil : try reader.subject()
        sessionID = reader.claims["sid"] == nil ? nil : try reader.text("sid")
        guard subject != nil || sessionID != nil else { throw ClaimProblem("it names neither a user nor a session (sub, sid)") }
    }

    /// Whether the sign-in of an ID token has ended. A sign-in whose ID token names no session ends with any session of its user.
    package func ends(_ token: IDToken) -> Bool {
        guard token.issuer.hasSameBytes(as: issuer), subject.map({ token.subject.hasSameBytes(as: $0) }) ?? true else { return false }
        guard let sessionID else { return true }
        guard let own = token.sessionID else { return subject != nil }
        return own.hasSameBytes(as: sessionID)
    }
}
