import AuthHubPrimitives
import CryptoExtras

/// The RSA keys of this process. They are generated when they are first used, and all servers share them, because generating one is slow.
enum RSAKeyPool {
    /// A key of the pool; no two uses have the same key.
    struct Slot: Hashable, Sendable {
        let use: String
        let number: Int
    }

    private static let keys = StaticMutex<[Slot: _RSA.Signing.PrivateKey]>([:])

    /// Returns the key for a use, or nil if it cannot be generated.
    ///
    /// - Parameter bits: The length of the modulus if the key has to be generated.
    static func key(_ slot: Slot, bits: Int = 2048) -> _RSA.Signing.PrivateKey? {
        keys.withLock { keys in
            if let key = keys[slot] { return key }
            let key = try? _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: bits))
            keys[slot] = key
            return key
        }
    }
}

extension _RSA.Signing.PublicKey {
    /// The members `kty`, `n` and `e` of a JSON Web Key (RFC 7518 §6.3.1).
    var members: JSONObject {
        var members = JSONObject()
        members["kty"] = "RSA"
        if let numbers = try? getKeyPrimitives() {
            members["n"] = .string(Base64URL.encode(numbers.modulus))
            members["e"] = .string(Base64URL.encode(numbers.publicExponent))
        }
        return members
    }
}
