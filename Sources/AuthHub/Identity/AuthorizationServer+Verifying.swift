public import AuthHubPrimitives
public import OAuthProtocol

/// Verifying tokens that others present. The server's keys are fetched when they are first needed, and cached.
///
/// If no key fits a token, the keys are fetched again, at most once a minute, however many such tokens arrive.
extension AuthorizationServer {
    /// Verifies an ID token that another program presents, such as your app to your server (OpenID Connect Core 1.0 §3.1.3.7).
    ///
    /// The token must be for the client, be issued at most an hour ago, and not have expired. The clocks may differ by 30 seconds, unless
    /// the provider's profile says otherwise. Encrypted tokens are decrypted with the client's keys.
    ///
    /// An ID token says who signed in, once. Do not accept it as permission to call an API: use access tokens.
    ///
    /// - Parameter nonce: The `nonce` of the sign-in that the token is from; nil if it had none. A token with a nonce is then rejected.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the token is not valid, for whatever reason; `.misconfigured` if the provider's
    ///   issuer or keys are unknown, or if the client lacks a key; `.unreachable` and `.serverMisbehaved` if the keys cannot be fetched.
    public func verify(
        idToken: Secret<String>, for client: OAuthClient, nonce: Secret<String>? = nil
    ) async throws(SessionError) -> IDToken {
        let profile = try await directory(for: ["openid"]).resolved(needing: [.jwks])
        let expectation: IDTokenExpectation?
        do throws(OAuthError) {
            try IDTokenExpectation.check(["openid"], for: client, at: profile, isRequired: true, now: backChannel.now())
            expectation = IDTokenExpectation(scope: ["openid"], nonce: nonce, client: client, at: profile)
        } catch {
            throw SessionError(error)
        }
        guard let expectation else { throw SessionError(.misconfigured, "the provider's ID tokens cannot be verified") }
        let keys = ServerKeys(client: client, backChannel: backChannel, isForStrangers: true)
        return try await keys.validate(at: profile) { keys throws(OAuthError) in
            try expectation.validate(idToken, keys: keys, accessToken: nil, on: .signIn, at: backChannel.now())
        }
    }

    /// Verifies a signed access token that a client sends to your API (RFC 9068 §4). For access tokens of any other format, use
    /// ``introspect(_:hint:as:)``.
    ///
    /// The token must be of the type `at+jwt`, from this server's issuer and for your API, signed with one of the server's public keys, and
    /// valid now. The clocks may differ by 30 seconds, unless the provider's profile says otherwise. Tokens that are encrypted, larger than
    /// 64 KiB, or bound to a key of the client (`cnf`) are rejected. Whether the server has revoked the token is unknown until it expires.
    ///
    /// ```swift
    /// let claims = try await server.verify(accessToken: token, audience: "https://api.example.com")
    /// guard claims.scope.contains("orders:read") else { … }      // respond 403
    /// ```
    ///
    /// - Parameter audience: The identifier of your API, exactly as the server writes it into `aud`. Never use a value from the request.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the token is not valid, for whatever reason (respond 401); `.misconfigured` if
    ///   the provider's issuer or keys are unknown; `.unreachable` and `.serverMisbehaved` if the keys cannot be fetched (respond 503).
    public func verify(accessToken: Secret<String>, audience: String) async throws(SessionError) -> AccessTokenClaims {
        let profile = try await provider(needing: [.jwks])
        let keys = ServerKeys(backChannel: backChannel, isForStrangers: true)
        return try await keys.validate(at: profile) { keys throws(OAuthError) in
            try AccessTokenClaims(accessToken, for: audience, keys: keys, at: profile, now: backChannel.now())
        }
    }
}
