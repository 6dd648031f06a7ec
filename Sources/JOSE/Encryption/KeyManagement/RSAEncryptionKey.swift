import AuthHubPrimitives
import CryptoExtras

/// An RSA public key for encryption with OAEP. Its numbers are checked by ``JSONWebKey``.
struct RSAEncryptionKey: Sendable {
    private let modulus: [UInt8]
    private let exponent: [UInt8]

    init(_ members: KeyMembers) throws(JOSEError) {
        modulus = try members.integer("n")
        exponent = try members.integer("e")
    }

    func encrypt(_ plaintext: [UInt8], _ padding: KeyManagementAlgorithm.RSAPadding) throws -> [UInt8] {
        // The library's key is not Sendable. Creating it takes less than a microsecond.
        let key = try _RSA.Encryption.PublicKey(n: modulus, e: exponent)
        return Array(try key.encrypt(plaintext, padding: padding.padding))
    }
}
