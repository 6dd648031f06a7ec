package import AuthHubPrimitives
package import JOSE

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
public import Foundation
#endif

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
        guard server.hasKeys(for: server.idTokenAlgorithms(for: client)) else {
            throw Self.unverifiable(at: server, "the provider's key set is unknown; set jwks_uri, or do not request openid")
        }
    }

    private static func unverifiable(at server: ProviderProfile, _ reason: String) -> OAuthError {
        OAuthError(
            .configuration, "the ID tokens of \(displayable(server.displayName, limit: 200)) cannot be verified: \(reason)")
    }
}

extension ProviderProfile {
    /// A kind of message that servers sign for clients.
    package enum SignedMessage: Sendable { case idToken, userInfo }

    /// Returns the client secret as the key, if the server signs with it (OpenID Connect Core 1.0 §10.1); nil if it signs with its own keys.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if there is no secret.
    package func clientSecretKeys(of client: OAuthClient, for message: SignedMessage) throws(OAuthError) -> JSONWebKeySet? {
        let algorithms = message == .idToken ? idTokenAlgorithms(for: client) : userInfoAlgorithms(for: client)
        guard !algorithms.isEmpty, algorithms.allSatisfy(\.isSymmetric) else { return nil }
        guard let secret = client.secret else {
            throw OAuthError(.configuration, "the server signs messages with the client secret, but the client has none")
        }
        return JSONWebKeySet([JSONWebKey(clientSecret: secret)])
    }

    /// Whether there are keys to verify signatures with.
    fileprivate func hasKeys(for algorithms: Set<SignatureAlgorithm>) -> Bool {
        endpoints?.jwks != nil || algorithms.allSatisfy(\.isSymmetric)
    }

    /// The issuer that ID tokens name: the profile's, or the template of a server whose issuer depends on the user's tenant.
    var idTokenIssuer: String? { issuer ?? quirks.discovery.issuerTemplate }

    /// The algorithms that ID tokens may be signed with: the one that the client registered, those of the profile, those in the server's
    /// metadata, or RS256 (OpenID Connect Core 1.0 §3.1.3.7, step 7). Symmetric ones count only if the client or the profile names them,
    /// because the client secret must then be as hard to guess as a key (§10.1).
    func idTokenAlgorithms(for client: OAuthClient) -> Set<SignatureAlgorithm> {
        if let registered = client.registered.idTokenSignature { return [registered] }
        if let names = quirks.identity.algorithms { return Set(names.compactMap(SignatureAlgorithm.init(rawValue:))) }
        guard let names = metadata?.idTokenAlgorithms else { return [.rs256] }
        return Set(names.compactMap(SignatureAlgorithm.init(rawValue:)).filter { !$0.isSymmetric })
    }

    /// The algorithms that UserInfo responses may be signed with.
    func userInfoAlgorithms(for client: OAuthClient) -> Set<SignatureAlgorithm> {
        if let registered = client.registered.userInfoSignature { return [registered] }
        let names = quirks.identity.algorithms ?? metadata?.userInfoAlgorithms ?? metadata?.idTokenAlgorithms
        guard let names else { return [.rs256] }
        return Set(names.compactMap(SignatureAlgorithm.init(rawValue:)).filter { !$0.isSymmetric })
    }
}

extension SignatureAlgorithm {
    /// Whether the client secret is the key.
    fileprivate var isSymmetric: Bool { properties?.scheme == .hmac }
}
