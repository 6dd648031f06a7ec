import AuthHubPrimitives
import JOSE
import Testing

extension KeyManagementAlgorithm {
    static let supported: [Self] = [
        .rsaOAEP, .rsaOAEP256, .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW, .a128KW, .a192KW, .a256KW, .a128GCMKW, .a192GCMKW,
        .a256GCMKW, .direct,
    ]
}

extension ContentEncryption {
    static let supported: [Self] = [.a128GCM, .a192GCM, .a256GCM, .a128CBCHS256, .a192CBCHS384, .a256CBCHS512]
}

extension DecryptionPolicy {
    /// Allows whatever is supported.
    static let everything = Self(keyManagement: Set(KeyManagementAlgorithm.supported), contentEncryption: Set(ContentEncryption.supported))
}

/// The keys that the tests encrypt for, each generated or parsed once.
enum TestDecryptionKeys {
    static let rsa = Result(catching: generateRSA)
    static let otherRSA = Result(catching: generateRSA)

    private static func generateRSA() throws(JOSEError) -> DecryptionKey {
        try DecryptionKey(Secret(members(of: .generate(.rsaOAEP256), without: "alg")))
    }

    /// A key for an algorithm, without `alg` and with the ID `key`.
    static func key(for algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption, on curve: Curve = .p256) throws -> DecryptionKey
    {
        switch algorithm.rawValue.prefix(4) {
        case "RSA-": return try rsa.get()
        case "ECDH": return try DecryptionKey(Secret(members(of: .generate(algorithm, on: curve, keyID: "key"), without: "alg")))
        default:
            let derived = try DecryptionKey(clientSecret: Secret("a secret that only tests know"), for: algorithm, with: encryption)
            return try DecryptionKey(Secret(members(of: derived, without: "alg")))
        }
    }

    /// The members of a key, without one of them.
    static func members(of key: DecryptionKey, without name: String) throws(JOSEError) -> JSONObject {
        var members = key.privateMembers.reveal()
        members[name] = nil
        members["kid"] = "key"
        return members
    }

    /// A symmetric key from its bytes.
    static func symmetric(_ bytes: [UInt8], _ others: JSONValue = [:]) throws -> DecryptionKey {
        try symmetric(text: Base64URL.encode(bytes), others)
    }

    static func symmetric(text: String, _ others: JSONValue = [:]) throws -> DecryptionKey {
        var members = try #require(others.object)
        members["kty"] = "oct"
        members["k"] = .string(text)
        return try DecryptionKey(Secret(members))
    }

    /// Bob's key in RFC 7518 appendix C.
    static let bob: JSONValue = [
        "kty": "EC", "crv": "P-256", "x": "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ", "y": "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck",
        "d": "VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw",
    ]
}

/// A token as its five parts, so that tests can change them.
struct TokenParts {
    var header: JSONObject
    var encryptedKey: [UInt8]
    var initializationVector: [UInt8]
    var ciphertext: [UInt8]
    var tag: [UInt8]

    init(_ token: Secret<String>) throws {
        let parts = try token.reveal().split(separator: ".", omittingEmptySubsequences: false).map { try #require(Base64URL.decode($0)) }
        try #require(parts.count == 5)
        header = try #require(try JSONValue(strict: parts[0]).object)
        (encryptedKey, initializationVector, ciphertext, tag) = (parts[1], parts[2], parts[3], parts[4])
    }

    var token: Secret<String> { token(header: JSONValue.object(header).serialized()) }

    func token(header: [UInt8]) -> Secret<String> {
        Secret([header, encryptedKey, initializationVector, ciphertext, tag].map { Base64URL.encode($0) }.joined(separator: "."))
    }
}

/// Parses and decrypts a token; returns the content as text.
func decrypt(
    _ token: Secret<String>, _ keys: [DecryptionKey], allowing policy: DecryptionPolicy = .everything
) throws(JOSEError) -> String {
    String(decoding: try JSONWebEncryption(token).decrypted(by: keys, allowing: policy).reveal(), as: UTF8.self)
}

/// Encrypts text for a key.
func encrypt(
    _ text: String = "The true sign of intelligence is not knowledge but imagination.", for key: DecryptionKey,
    _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption
) throws(JOSEError) -> Secret<String> {
    try JSONWebEncryption.encrypting(Secret(Array(text.utf8)), for: EncryptionKey(key), algorithm, encryption)
}
