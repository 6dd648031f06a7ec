package import AuthHubPrimitives
package import JOSE
package import Platform

/// The requirements for an ID token, which follow from the request (OpenID Connect Core 1.0 §3.1.3.7).
package struct IDTokenExpectation: Sendable {
    /// The issuer, exactly as the ID token must name it, or a template with the tenant in braces.
    let issuer: String
    let client: OAuthClient
    /// The value that was sent and that the ID token must repeat; nil if none was sent.
    let nonce: Secret<String>?
    /// The maximum time since the user authenticated, in seconds; nil if none was requested or registered.
    let maximumAge: Int?
    /// The authentication context classes, of which the server must have met one; empty if none is required.
    let acrValues: [String]
    /// The identifiers of the users whom the ID token may name; empty for any user.
    let subjects: [String]
    let quirks: ProviderQuirks.IdentityQuirks
    /// A value in the same message whose hash the ID token must contain.
    enum HashedValue: Sendable { case accessToken, code }
    var hashesRequired: Set<HashedValue> = []
    /// The code in the same callback; nil if there is none.
    var code: Secret<String>?
    /// The `state` of the same callback.
    var state: Secret<String>?
    /// The ID token in the callback of the same sign-in, which this one must agree with (OpenID Connect Core 1.0 §3.3.3.6).
    package var counterpart: IDToken?
    /// The algorithms that the server may sign with.
    package let algorithms: Set<SignatureAlgorithm>

    /// - Returns: nil if `openid` was not requested, or if the profile has no issuer or no key set, so that no ID token can be verified.
    package init?(
        scope: Scope, nonce: Secret<String>? = nil, maximumAge: Int? = nil, acrValues: [String] = [], subjects: [String] = [],
        client: OAuthClient, at server: ProviderProfile
    ) {
        guard scope.contains("openid"), let issuer = server.idTokenIssuer else { return nil }
        algorithms = server.idTokenAlgorithms(for: client)
        guard server.hasKeys(for: algorithms) else { return nil }
        self.issuer = issuer
        self.client = client
        self.nonce = nonce
        self.maximumAge = [maximumAge, client.registered.defaultMaximumAge].compactMap(\.self).min()
        self.acrValues = acrValues
        self.subjects = subjects
        quirks = server.quirks.identity
    }

    /// Whether a token response without an ID token is accepted (TR18).
    package var mayBeMissing: Bool { quirks.idTokenMayBeMissing && acrValues.isEmpty && subjects.isEmpty }

    /// Checks before a sign-in that its ID token can be decrypted and verified, so that no one is signed in without an identity.
    ///
    /// - Parameter isRequired: Whether an ID token is needed even if the profile says that it may be missing.
    /// - Throws: ``OAuthError``: `.misuse` if the client lacks a key; `.configuration` if the server's issuer or key set is unknown, unless
    ///   the profile says that ID tokens may be missing.
    package static func check(
        _ scope: Scope, for client: OAuthClient, at server: ProviderProfile, isRequired: Bool = false, now: Date
    ) throws(OAuthError) {
        guard scope.contains("openid") else { return }
        try client.checkDecryption(as: client.registered.idTokenEncryption, called: "ID tokens", at: now)
        guard !server.quirks.identity.idTokenMayBeMissing || isRequired else { return }
        guard server.idTokenIssuer != nil else {
            throw Self.unverifiable(at: server, "the provider's issuer is unknown; set it, or do not request openid")
        }
        guard server.hasIDTokenKeys(for: client) else {
            throw Self.unverifiable(
                at: server,
                server.endpoints?.jwks == nil
                    ? "the provider's key set is unknown; set jwks_uri, or do not request openid"
                    : "none of the algorithms that they are signed with is supported; do not request openid")
        }
    }

    private static func unverifiable(at server: ProviderProfile, _ reason: String) -> OAuthError {
        OAuthError(.configuration, "the ID tokens of \(displayable(server.displayName, limit: 200)) cannot be verified: \(reason)")
    }
}
