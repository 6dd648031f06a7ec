package import AuthHubPrimitives
package import JOSE
package import Platform

extension AccessTokenClaims {
    /// Verifies an access token (RFC 9068 §4).
    ///
    /// - Parameters:
    ///   - audience: The identifier of the API that received the token.
    ///   - keys: The server's keys.
    /// - Throws: ``OAuthError``: `.configuration` if the server's issuer is unknown; otherwise `.securityCheckFailed`. If no key fits, it has
    ///   a `JOSEError` with `.noKey`: the keys may be out of date.
    package init(
        _ text: Secret<String>, for audience: String, keys: JSONWebKeySet, at server: ProviderProfile, now: Date
    ) throws(OAuthError) {
        guard let issuer = server.issuer else {
            throw OAuthError(.configuration, "the provider's issuer is unknown; set it, or introspect the access tokens")
        }
        let claims: JSONObject
        let keyIssuer: String?
        do throws(JOSEError) {
            switch text.reveal().count(of: UInt8(ascii: ".")) {
            case 2: break
            case 4: throw JOSEError(.notAllowed, "it is encrypted, which is not supported; let the server sign it only")
            default: throw JOSEError(.malformed, "it is not a JSON Web Token; introspect it")
            }
            let signature = try JSONWebSignature(text, for: keys)
            // RFC 9068 §4: an ID token, which the same keys sign, must not be accepted.
            try signature.header.checkType(["at+jwt"], canBeMissing: false)
            let payload = try signature.verified(by: keys, allowing: .publicKeyAlgorithms)
            claims = try payload.claims
            keyIssuer = server.quirks.identity.keysHaveIssuers ? payload.keyIssuer : nil
        } catch {
            throw OAuthError(.securityCheckFailed, "the access token was rejected: \(error.explanation)", underlying: error)
        }
        do throws(ClaimProblem) {
            let reader = ClaimsReader(claims: claims)
            try self.init(reader)
            try reader.checkIssuer(is: issuer)
            try reader.checkKey(of: keyIssuer, signing: self.issuer)
            try reader.checkAudience(self.audience, contains: audience, called: "API")
            try reader.checkTimes(at: now, tolerance: server.quirks.identity.clockTolerance)
            // RFC 9449 §7.2, RFC 8705 §3: without the proof, anyone who stole the token could use it.
            guard claims["cnf"] == nil else { throw ClaimProblem("it is bound to a key (cnf), whose proof is not supported") }
        } catch {
            throw OAuthError(.securityCheckFailed, "the access token was rejected: \(error.explanation)")
        }
    }

    private init(_ reader: ClaimsReader) throws(ClaimProblem) {
        self.init(
            issuer: try reader.text("iss"),
            subject: try reader.filledText("sub"),
            audience: try reader.audience(),
            clientID: try reader.filledText("client_id"),
            tokenID: try reader.filledText("jti"),
            scope: Scope(reader.claims["scope"] == nil ? "" : try reader.text("scope")),
            issuedAt: try reader.time("iat"),
            expiresAt: try reader.time("exp"),
            authenticatedAt: try reader.optionalTime("auth_time"),
            claims: reader.claims)
    }
}

extension ClaimsReader {
    fileprivate func filledText(_ name: String) throws(ClaimProblem) -> String {
        let text = try text(name)
        guard !text.isEmpty else { throw ClaimProblem("its \(name) is empty") }
        return text
    }
}
