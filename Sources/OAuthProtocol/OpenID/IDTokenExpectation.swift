package import AuthHubPrimitives
package import JOSE

/// The requirements for an ID token, which follow from the request (OpenID Connect Core 1.0 §3.1.3.7).
package struct IDTokenExpectation: Sendable {
    /// The issuer, exactly as the ID token must name it, or a template with the tenant in braces.
    let issuer: String
    let clientID: String
    /// The value that was sent and that the ID token must repeat; nil if none was sent.
    let nonce: Secret<String>?
    /// The maximum time since the user authenticated, in seconds; nil if none was requested.
    let maximumAge: Int?
    /// The authentication context classes, of which the server must have met one; empty if none is required.
    let acrValues: [String]
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
        scope: Scope, nonce: Secret<String>? = nil, maximumAge: Int? = nil, acrValues: [String] = [], clientID: String,
        at server: ProviderProfile
    ) {
        guard scope.contains("openid"), let issuer = server.idTokenIssuer else { return nil }
        algorithms = server.idTokenAlgorithms
        guard server.endpoints?.jwks != nil || algorithms.allSatisfy(\.isSymmetric) else { return nil }
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.acrValues = acrValues
        quirks = server.quirks.identity
    }

    /// Whether a token response without an ID token is accepted (TR18).
    package var mayBeMissing: Bool { quirks.idTokenMayBeMissing }
}

extension ProviderProfile {
    /// Returns the client secret as the key, if the server signs with it (OpenID Connect Core 1.0 §10.1); nil if it signs with its own keys.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if there is no secret.
    package func clientSecretKeys(of client: OAuthClient) throws(OAuthError) -> JSONWebKeySet? {
        guard !idTokenAlgorithms.isEmpty, idTokenAlgorithms.allSatisfy(\.isSymmetric) else { return nil }
        guard let secret = client.secret else {
            throw OAuthError(.configuration, "the server signs ID tokens with the client secret, but the client has none")
        }
        return JSONWebKeySet([JSONWebKey(clientSecret: secret)])
    }

    /// The issuer that ID tokens name: the profile's, or the template of a server whose issuer depends on the user's tenant.
    var idTokenIssuer: String? { issuer ?? quirks.discovery.issuerTemplate }

    /// The algorithms that ID tokens may be signed with: those of the profile, those in the server's metadata, or RS256 (OpenID Connect
    /// Core 1.0 §3.1.3.7, step 7). Symmetric algorithms count only if the profile names them, because the client secret must then be as
    /// hard to guess as a key (§10.1).
    var idTokenAlgorithms: Set<SignatureAlgorithm> {
        if let names = quirks.identity.algorithms { return Set(names.compactMap(SignatureAlgorithm.init(rawValue:))) }
        guard let names = metadata?.idTokenAlgorithms else { return [.rs256] }
        return Set(names.compactMap(SignatureAlgorithm.init(rawValue:)).filter { !$0.isSymmetric })
    }
}

extension SignatureAlgorithm {
    /// Whether the client secret is the key.
    fileprivate var isSymmetric: Bool { properties?.scheme == .hmac }
}
