public import AuthHubPrimitives
import Crypto

/// A private key in the memory of the process.
///
/// To use the key again in another process, store ``privateMembers`` where credentials are stored.
public struct SoftwareSigningKey: SigningKey {
    /// The algorithm of the signatures.
    public let algorithm: SignatureAlgorithm
    /// The public key, which verifies the signatures.
    public let publicKey: JSONWebKey

    private let properties: SignatureAlgorithm.Properties
    private let key: Secret<PrivateSigningKey>

    /// Generates a key. An RSA key has 2048 bits; its generation takes about 0.1 seconds.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm, ES256 by default. It cannot be one that uses the client secret.
    ///   - keyID: The key's ID; its thumbprint by default.
    /// - Throws: ``JOSEError`` with `.notAllowed` if the algorithm is not supported.
    public static func generate(_ algorithm: SignatureAlgorithm = .es256, keyID: String? = nil) throws(JOSEError) -> Self {
        guard let properties = algorithm.properties else { throw JOSEError(.notAllowed, "the algorithm is not supported") }
        let key = try PrivateSigningKey(generating: properties)
        return try Self(key, algorithm, properties, publicKey: .signing(key.publicKey, algorithm: algorithm, keyID: keyID))
    }

    /// Creates a key from a private JSON Web Key (RFC 7518 §6.2.2, §6.3.2, RFC 8037 §2).
    ///
    /// - Parameters:
    ///   - members: The members of the key. An RSA key needs its primes `p` and `q`; the members that follow from them are computed.
    ///   - wanted: The algorithm. By default, it is the key's `alg`, or the one that belongs to its curve. An RSA key without `alg` signs
    ///     with RS256, or with another RSA algorithm if the receiver supports only that.
    /// - Throws: ``JOSEError`` with `.malformed`, or with `.unusableKey` if the key is not safe to use, must not sign, does not fit the
    ///   algorithm, or its private and public members do not belong together.
    public init(_ members: Secret<JSONObject>, algorithm wanted: SignatureAlgorithm? = nil) throws(JOSEError) {
        var publicMembers = members.reveal()
        for name in KeyMembers.privateNames { publicMembers[name] = nil }
        let publicKey = try JSONWebKey(publicMembers)
        let key = try PrivateSigningKey(KeyMembers(members.reveal()))
        guard try key.publicKey.requiredMembers == publicKey.identity else {
            throw JOSEError(.unusableKey, "the private members of the key do not belong to its public members")
        }
        guard publicKey.use.map({ $0 == "sig" }) ?? true, publicKey.operations.map({ $0.contains("sign") }) ?? true else {
            throw JOSEError(.unusableKey, "the key must not be used for signatures")
        }
        let algorithm = try Self.algorithm(wanted, of: publicKey)
        guard let properties = algorithm.properties, publicKey.hasType(for: properties) else {
            throw JOSEError(.unusableKey, "the key does not fit the algorithm")
        }
        let isFree = wanted == nil && publicKey.algorithm == nil && publicKey.parsed.curve == nil
        self.init(
            key, algorithm, properties,
            publicKey: JSONWebKey(
                publicKey.parsed, keyID: publicKey.keyID, algorithm: isFree ? nil : algorithm.rawValue, use: "sig"))
    }

    /// Creates a key from a client secret, for `client_secret_jwt` (OpenID Connect Core 1.0 §9).
    ///
    /// - Throws: ``JOSEError`` with `.unusableKey` if the secret is shorter than the hash (RFC 7518 §3.2).
    package init(clientSecret: Secret<String>, algorithm: SignatureAlgorithm = .hs256) throws(JOSEError) {
        let publicKey = JSONWebKey(clientSecret: clientSecret)
        guard let properties = algorithm.properties, publicKey.hasType(for: properties) else {
            throw JOSEError(.notAllowed, "the algorithm does not use the client secret")
        }
        try publicKey.checkLength(for: properties)
        let key = SymmetricKey(data: Array(clientSecret.reveal().utf8))
        self.init(.symmetric(key), algorithm, properties, publicKey: publicKey)
    }

    private init(
        _ key: PrivateSigningKey, _ algorithm: SignatureAlgorithm, _ properties: SignatureAlgorithm.Properties, publicKey: JSONWebKey
    ) {
        self.key = Secret(key)
        self.algorithm = algorithm
        self.properties = properties
        self.publicKey = publicKey
    }

    /// Returns the same key with another algorithm.
    func using(_ algorithm: SignatureAlgorithm, _ properties: SignatureAlgorithm.Properties) -> Self {
        Self(key.reveal(), algorithm, properties, publicKey: publicKey)
    }

    /// The private JSON Web Key, from which ``init(_:algorithm:)`` creates the key again; empty for a client secret.
    public var privateMembers: Secret<JSONObject> {
        guard let privateMembers = key.reveal().privateMembers else { return Secret(JSONObject()) }
        var members = publicKey.publicMembers
        for member in privateMembers.members { members[member.name] = member.value }
        return Secret(members)
    }

    /// Returns the signature in the format that JOSE uses for the algorithm.
    public func signature(for bytes: [UInt8]) throws -> [UInt8] {
        try key.reveal().signature(for: bytes, properties)
    }

    private static func algorithm(_ wanted: SignatureAlgorithm?, of key: JSONWebKey) throws(JOSEError) -> SignatureAlgorithm {
        let own = key.algorithm.map(SignatureAlgorithm.init(rawValue:))
        if let wanted, let own, !own.isSame(as: wanted) {
            throw JOSEError(.unusableKey, "the key's alg does not allow the algorithm")
        }
        if let algorithm = wanted ?? own { return algorithm }
        switch key.parsed.curve {
        case .p256: return .es256
        case .p384: return .es384
        case .p521: return .es512
        case .ed25519: return .edDSA
        case nil: return .rs256
        case .x25519: throw JOSEError(.unusableKey, "an X25519 key cannot sign")
        }
    }
}

extension JSONWebKey {
    /// The public key of a signing key, with its ID or its thumbprint as `kid`.
    fileprivate static func signing(_ parsed: ParsedKey, algorithm: SignatureAlgorithm, keyID: String?) -> Self {
        let key = Self(parsed, keyID: keyID, algorithm: algorithm.rawValue, use: "sig")
        return keyID == nil ? Self(parsed, keyID: key.thumbprint, algorithm: algorithm.rawValue, use: "sig") : key
    }
}
