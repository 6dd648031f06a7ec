import AuthHubPrimitives
import Crypto

/// The signer of a token: a private key of the server, or the secret of the client.
enum TokenSigner: Sendable {
    case key(SigningKey)
    case secret(Secret<String>)
}

extension TokenSigner {
    var algorithm: SigningAlgorithm {
        switch self {
        case .key(let key): key.algorithm
        case .secret: .hs256
        }
    }

    private func header(_ type: String) -> JSONObject {
        var header = JSONObject()
        header["alg"] = .string(algorithm.rawValue)
        header["typ"] = .string(type)
        if case .key(let key) = self { header["kid"] = .string(key.id) }
        return header
    }

    /// Returns the claims as a signed token (RFC 7515 §3.1), or nil if signing fails.
    func token(_ claims: JSONObject, type: String = "JWT") -> String? {
        let parts = [header(type), claims].map { Base64URL.encode(JSONValue.object($0).serialized()) }
        let signed = parts.joined(separator: ".")
        return signature(of: Array(signed.utf8)).map { signed + "." + Base64URL.encode($0) }
    }

    func signature(of bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .key(let key): key.signature(of: bytes)
        case .secret(let secret): Self.mac(of: bytes, key: Array(secret.reveal().utf8))
        }
    }

    /// Returns an HMAC with SHA-256.
    static func mac(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
}
