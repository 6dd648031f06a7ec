package import JOSE

extension ProviderProfile {
    /// A kind of message that servers sign for clients.
    package enum SignedMessage: Sendable { case idToken, userInfo }

    /// Returns the client secret as a key set if the server signs with it (OpenID Connect Core 1.0 §10.1); nil if the server has its own
    /// keys.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if there is no secret.
    package func clientSecretKeys(of client: OAuthClient, for message: SignedMessage) throws(OAuthError) -> JSONWebKeySet? {
        let algorithms =
            switch message {
            case .idToken: idTokenAlgorithms(for: client)
            case .userInfo: userInfoAlgorithms(for: client)
            }
        guard !algorithms.isEmpty, algorithms.allSatisfy(\.isSymmetric) else { return nil }
        guard let secret = client.secret else {
            throw OAuthError(.configuration, "the server signs messages with the client secret, but the client has none")
        }
        return JSONWebKeySet([JSONWebKey(clientSecret: secret)])
    }

    /// Whether the ID tokens for a client can be verified: an algorithm is supported, and its keys are known.
    package func hasIDTokenKeys(for client: OAuthClient) -> Bool { hasKeys(for: idTokenAlgorithms(for: client)) }

    /// Whether there are keys to verify signatures with.
    func hasKeys(for algorithms: Set<SignatureAlgorithm>) -> Bool {
        algorithms.contains(where: \.isSupported) && (endpoints?.jwks != nil || algorithms.allSatisfy(\.isSymmetric))
    }

    /// The issuer that ID tokens name: the profile's, or the template of a server whose issuer depends on the user's tenant.
    var idTokenIssuer: String? { issuer ?? quirks.discovery.issuerTemplate }

    /// The algorithms that ID tokens may be signed with: the one that the client registered, those of the profile, those in the server's
    /// metadata, or RS256 (OpenID Connect Core 1.0 §3.1.3.7, step 7). Symmetric ones count only if the client or the profile names them,
    /// because the client secret must then be as hard to guess as a key (§10.1).
    func idTokenAlgorithms(for client: OAuthClient) -> Set<SignatureAlgorithm> {
        if let registered = client.registered.idTokenSignature { return [registered] }
        if let names = quirks.identity.algorithms { return Set(names.map(SignatureAlgorithm.init(rawValue:))) }
        guard let names = metadata?.idTokenAlgorithms else { return [.rs256] }
        return Set(names.map(SignatureAlgorithm.init(rawValue:)).filter { !$0.isSymmetric })
    }

    /// The algorithms that UserInfo responses may be signed with.
    ///
    /// - Parameter client: The client that they are for; nil for none in particular, so that no symmetric algorithm is allowed.
    func userInfoAlgorithms(for client: OAuthClient? = nil) -> Set<SignatureAlgorithm> {
        if let registered = client?.registered.userInfoSignature { return [registered] }
        let names = quirks.identity.algorithms ?? metadata?.userInfoAlgorithms ?? metadata?.idTokenAlgorithms
        guard let names else { return [.rs256] }
        return Set(names.map(SignatureAlgorithm.init(rawValue:)).filter { !$0.isSymmetric })
    }
}

extension SignatureAlgorithm {
    fileprivate var isSupported: Bool { properties != nil }

    /// Whether the client secret is the key.
    fileprivate var isSymmetric: Bool { properties?.scheme == .hmac }
}
