import AuthHubPrimitives
import Crypto

/// A key that encrypts tokens for its owner.
package struct EncryptionKey: Sendable {
    /// The key's ID, for the header.
    package let keyID: String?
    /// The `alg` of a public key: the only algorithm that it can be used with; nil if there is no restriction.
    let algorithmName: String?
    let material: EncryptionMaterial

    /// Creates a key from a public key, for example of a server.
    ///
    /// - Throws: ``JOSEError`` with `.unusableKey` if the key is not for encryption.
    package init(_ key: JSONWebKey) throws(JOSEError) {
        guard key.use ?? "enc" == "enc" else { throw JOSEError(.unusableKey, "the use of the key is not enc") }
        let members = KeyMembers(key.publicMembers)
        let material: EncryptionMaterial =
            switch try members.type() {
            case .rsa: .rsa(try RSAEncryptionKey(members))
            case .ec, .okp: .agreement(try KeyAgreementPublicKey(members))
            case .oct: throw JOSEError(.unusableKey, "the key is not a public key")
            }
        self.init(keyID: key.keyID, algorithmName: key.algorithm, material: material)
    }

    /// Creates the counterpart of a decryption key: its public key, or the same symmetric key.
    package init(_ key: DecryptionKey) throws(JOSEError) {
        if let publicKey = key.publicKey {
            try self.init(publicKey)
        } else if case .symmetric(let shared) = key.material.reveal() {
            self.init(keyID: key.keyID, algorithmName: nil, material: .symmetric(shared))
        } else {
            throw JOSEError(.unusableKey, "the key has no public key")
        }
    }

    private init(keyID: String?, algorithmName: String?, material: EncryptionMaterial) {
        self.keyID = keyID
        self.algorithmName = algorithmName
        self.material = material
    }
}

enum EncryptionMaterial: Sendable {
    case rsa(RSAEncryptionKey)
    case agreement(KeyAgreementPublicKey)
    case symmetric(SymmetricKey)
}
