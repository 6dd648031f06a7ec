import AuthHubPrimitives
import Synchronization

extension ServerState {
    /// The public keys of all algorithms in use, and of those that were used before.
    var keySet: JSONValue {
        let algorithms =
            openIDConnect.withLock { $0.algorithmsInUse } + clients.flatMap { [$0.idTokenAlgorithm, $0.userInfoAlgorithm] }
        return keys.withLock { keys in
            for algorithm in algorithms.compactMap(\.self) { _ = keys.key(for: algorithm) }
            return keys.published
        }.naming(openIDConnect.withLock(\.keyIssuer).map { issuer + $0 })
    }

    /// Returns the signer for a client and an algorithm; nil if the algorithm needs a client secret and there is none.
    func signer(_ algorithm: SigningAlgorithm, for client: DevelopmentClient?) -> TokenSigner? {
        algorithm == .hs256 ? client?.secret.map { .secret($0) } : keys.withLock { $0.key(for: algorithm) }.map { .key($0) }
    }

    /// Returns the encrypter for a client; nil if the client did not register for encryption, or if the server ignores the registration.
    func encrypter(_ encryption: TokenEncryption?, for client: DevelopmentClient) -> TokenEncrypter? {
        let quirks = openIDConnect.withLock { $0 }
        guard var encryption, quirks.encryptsTokens else { return nil }
        encryption.cipher = quirks.cipher ?? encryption.cipher
        return TokenEncrypter(encryption: encryption, keys: client.publicKeys, secret: client.secret)
    }

    /// Returns the function that encrypts ID tokens for a client; nil if they are not encrypted.
    func idTokenSeal(for clientID: String) -> (@Sendable (String) -> String?)? {
        guard let client = client(id: clientID), let encrypter = encrypter(client.idTokenEncryption, for: client) else { return nil }
        return { encrypter.token(Array($0.utf8), isToken: true) }
    }

    /// Returns the claims of a token that a key of this server has signed; nil for all others.
    func claims(ofToken text: String) -> JSONObject? {
        guard let token = CompactToken(text), isOwn(token) else { return nil }
        return token.claims
    }

    /// Whether a key of this server has signed a token, which is not an access token.
    func isOwn(_ token: CompactToken) -> Bool {
        guard token.header["typ"]?.string != "at+jwt", let id = token.header["kid"]?.string, let key = keys.withLock({ $0.key(id: id) })
        else { return false }
        return key.isValid(token.signature, for: token.signed)
    }

    func rotateKeys() {
        keys.withLock { $0.rotate() }
    }

    func withdrawKeys() {
        keys.withLock { $0.withdraw() }
    }
}

extension JSONValue {
    /// Returns a key set whose keys have this issuer.
    fileprivate func naming(_ keyIssuer: String?) -> JSONValue {
        guard let keyIssuer, let keys = self["keys"]?.array else { return self }
        return [
            "keys": .array(
                keys.map { key in
                    guard var members = key.object else { return key }
                    members["issuer"] = .string(keyIssuer)
                    return .object(members)
                })
        ]
    }
}

extension Persona.OpenIDQuirks {
    fileprivate var algorithmsInUse: [SigningAlgorithm?] {
        if case .signed(let userInfoAlgorithm) = userInfo { [algorithm, userInfoAlgorithm] } else { [algorithm] }
    }
}
