import AuthHubPrimitives
import Crypto
import CryptoExtras

extension JSONWebKey {
    /// Returns whether a signature is valid for bytes.
    ///
    /// - Throws: ``JOSEError`` with `.unusableKey` if the algorithm needs another type of key or a longer one.
    func isValid(
        _ signature: [UInt8], of bytes: ArraySlice<UInt8>, by properties: SignatureAlgorithm.Properties
    ) throws(JOSEError) -> Bool {
        try checkLength(for: properties)
        guard signature.count == signatureLength(properties) else { return false }
        switch properties.hash {
        case .sha256: return try isValid(signature, of: bytes, properties, hash: SHA256.self)
        case .sha384: return try isValid(signature, of: bytes, properties, hash: SHA384.self)
        case .sha512: return try isValid(signature, of: bytes, properties, hash: SHA512.self)
        }
    }

    private func isValid<Hash: HashFunction>(
        _ signature: [UInt8], of bytes: ArraySlice<UInt8>, _ properties: SignatureAlgorithm.Properties, hash: Hash.Type
    ) throws(JOSEError) -> Bool {
        switch (properties.scheme, parsed) {
        case (.rsaPKCS1, .rsa(let key)):
            return key.key.isValidSignature(
                .init(rawRepresentation: signature), for: Hash.hash(data: bytes), padding: .insecurePKCS1v1_5)
        case (.rsaPSS, .rsa(let key)):
            return key.key.isValidSignature(.init(rawRepresentation: signature), for: Hash.hash(data: bytes), padding: .PSS)
        case (.ecdsa, .p256(let key)):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.hash(data: bytes))
        case (.ecdsa, .p384(let key)):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.hash(data: bytes))
        case (.ecdsa, .p521(let key)):
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Hash.hash(data: bytes))
        case (.edDSA, .ed25519(let key)):
            return key.isValidSignature(signature, for: bytes)
        case (.hmac, .symmetric(let key)):
            return HMAC<Hash>.isValidAuthenticationCode(signature, authenticating: bytes, using: key.reveal())
        default:
            throw JOSEError(.unusableKey, "the key does not fit the algorithm")
        }
    }

    /// The length that a signature must have; nil if the key does not fit.
    func signatureLength(_ properties: SignatureAlgorithm.Properties) -> Int? {
        if case .rsa(let key) = parsed { key.modulus.count } else { properties.signatureLength }
    }

    /// Checks that a client secret is at least as long as the hash (RFC 7518 §3.2).
    func checkLength(for properties: SignatureAlgorithm.Properties) throws(JOSEError) {
        guard case .symmetric(let key) = parsed, key.reveal().bitCount < properties.hash.length * 8 else { return }
        throw JOSEError(.unusableKey, "the client secret is shorter than \(properties.hash.length) bytes, which the algorithm requires")
    }
}
