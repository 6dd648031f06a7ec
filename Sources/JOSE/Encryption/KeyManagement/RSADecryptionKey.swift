import AuthHubPrimitives
import CryptoExtras

/// An RSA private key for decryption with OAEP.
struct RSADecryptionKey: @unchecked Sendable {  // The library's key is immutable, like its signing counterpart, which is Sendable.
    private let key: _RSA.Encryption.PrivateKey

    /// Creates a key from the members of a JSON Web Key (RFC 7518 §6.3.2). It needs both primes, and must not have more (`oth`). The
    /// members `dp`, `dq` and `qi` are not used, because they follow from the others.
    init(_ members: KeyMembers) throws(JOSEError) {
        guard !members.contains("oth") else { throw JOSEError(.unusableKey, "the RSA key has more than two primes") }
        let (n, e) = (try members.integer("n"), try members.integer("e"))
        let (d, p, q) = (try members.integer("d"), try members.integer("p"), try members.integer("q"))
        do {
            key = try _RSA.Encryption.PrivateKey(n: n, e: e, d: d, p: p, q: q)
        } catch {
            throw JOSEError(.unusableKey, "the numbers of the RSA key do not belong together")
        }
    }

    func decrypt(_ ciphertext: [UInt8], _ padding: KeyManagementAlgorithm.RSAPadding) -> [UInt8]? {
        (try? key.decrypt(ciphertext, padding: padding.padding)).map { Array($0) }
    }
}

extension RSADecryptionKey {
    /// Generates a key, and returns the members of its JSON Web Key.
    static func generatedMembers() throws(JOSEError) -> JSONObject {
        // 2,048 bits are recommended until 2030 only (NIST SP 800-57), but tokens that are recorded today can be decrypted later.
        guard let key = try? _RSA.Encryption.PrivateKey(keySize: .bits3072),
            var members = PKCS1PrivateKey.members(of: Array(key.derRepresentation))?.reveal()
        else { throw JOSEError(.unusableKey, "the crypto library could not generate an RSA key") }
        members["kty"] = "RSA"
        return members
    }
}

extension KeyManagementAlgorithm.RSAPadding {
    var padding: _RSA.Encryption.Padding {
        switch self {
        case .sha1: .PKCS1_OAEP
        case .sha256: .PKCS1_OAEP_SHA256
        }
    }
}
