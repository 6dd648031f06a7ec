import AuthHubPrimitives
import Crypto
import CryptoExtras

/// The encryption of tokens for one client (RFC 7516 §3.1).
struct TokenEncrypter: Sendable {
    let encryption: TokenEncryption
    /// The client's public keys.
    let keys: [JSONObject]
    let secret: Secret<String>?

    /// Returns content as an encrypted token; nil if the client has no key for the algorithm.
    ///
    /// - Parameter isToken: Whether the content is a signed token (RFC 7519 §5.2).
    func token(_ content: [UInt8], isToken: Bool) -> String? {
        var header = JSONObject()
        header["alg"] = .string(encryption.algorithm.rawValue)
        header["enc"] = .string(encryption.cipher.rawValue)
        if isToken { header["cty"] = "JWT" }
        guard let key = contentKey(&header) else { return nil }
        let encodedHeader = Base64URL.encode(JSONValue.object(header).serialized())
        guard let sealed = encryption.cipher.seal(content, key: key.content, authenticating: Array(encodedHeader.utf8)) else { return nil }
        let parts = [key.encrypted, sealed.initializationVector, sealed.ciphertext, sealed.tag].map { Base64URL.encode($0) }
        return ([encodedHeader] + parts).joined(separator: ".")
    }

    private typealias ContentKey = (content: [UInt8], encrypted: [UInt8])

    private func contentKey(_ header: inout JSONObject) -> ContentKey? {
        let size = encryption.cipher.keySize
        switch encryption.algorithm {
        case .rsaOAEP, .rsaOAEP256: return keyForRSA(&header, randomBytes(count: size))
        case .ecdhES:
            guard let agreement = agreement(&header) else { return nil }
            return (agreement.key(for: encryption.cipher.rawValue, size: size), [])
        case .ecdhES128, .ecdhES192, .ecdhES256:
            guard let agreement = agreement(&header), let wrappingSize = encryption.algorithm.wrappingKeySize else { return nil }
            return Self.wrapped(
                randomBytes(count: size), by: agreement.key(for: encryption.algorithm.rawValue, size: wrappingSize))
        case .a128KW, .a192KW, .a256KW:
            return sharedKey(encryption.algorithm.wrappingKeySize).flatMap { Self.wrapped(randomBytes(count: size), by: $0) }
        case .a128GCMKW, .a192GCMKW, .a256GCMKW:
            let content = randomBytes(count: size)
            guard let key = sharedKey(encryption.algorithm.wrappingKeySize), let sealed = ContentCipher.sealWithGCM(content, key: key)
            else {
                return nil
            }
            header["iv"] = .string(Base64URL.encode(sealed.initializationVector))
            header["tag"] = .string(Base64URL.encode(sealed.tag))
            return (content, sealed.ciphertext)
        case .direct: return sharedKey(size).map { ($0, []) }
        }
    }

    private func keyForRSA(_ header: inout JSONObject, _ content: [UInt8]) -> ContentKey? {
        guard let key = publicKey(of: ["RSA"]) else { return nil }
        func bytes(_ name: String) -> [UInt8] { key[name]?.string.flatMap { Base64URL.decode($0) } ?? [] }
        guard let publicKey = try? _RSA.Encryption.PublicKey(n: bytes("n"), e: bytes("e")),
            let encrypted = try? publicKey.encrypt(
                content, padding: encryption.algorithm == .rsaOAEP ? .PKCS1_OAEP : .PKCS1_OAEP_SHA256)
        else { return nil }
        header["kid"] = key["kid"]
        return (content, Array(encrypted))
    }

    private func agreement(_ header: inout JSONObject) -> KeyAgreement? {
        guard let key = publicKey(of: ["EC", "OKP"]), let agreement = KeyAgreement(with: key) else { return nil }
        header["kid"] = key["kid"]
        header["epk"] = .object(agreement.ephemeralKey)
        return agreement
    }

    /// RFC 7518 §4.4.
    private static func wrapped(_ content: [UInt8], by key: [UInt8]) -> ContentKey? {
        (try? AES.KeyWrap.wrap(SymmetricKey(data: content), using: SymmetricKey(data: key))).map { (content, Array($0)) }
    }

    /// The client's key for the algorithm.
    private func publicKey(of types: [String]) -> JSONObject? {
        keys.first { key in
            key["kty"]?.string.map(types.contains) ?? false && key["use"] != "sig" && key["crv"] != "Ed25519"
                && key["alg"]?.string.map { $0 == encryption.algorithm.rawValue } ?? true
        }
    }

    /// The key that is derived from the client secret (OpenID Connect Core 1.0 §10.2).
    private func sharedKey(_ size: Int?) -> [UInt8]? {
        guard let size, let secret else { return nil }
        let bytes = Array(secret.reveal().utf8)
        let hash =
            size <= 32 ? Array(SHA256.hash(data: bytes)) : size <= 48 ? Array(SHA384.hash(data: bytes)) : Array(SHA512.hash(data: bytes))
        return Array(hash.prefix(size))
    }
}
