import AuthHubPrimitives
import Crypto

/// The secret numbers of a ``DecryptionKey``, and what can be done with them.
enum DecryptionMaterial: Sendable {
    case rsa(RSADecryptionKey)
    case agreement(KeyAgreementPrivateKey)
    case symmetric(SymmetricKey)

    /// Creates the material from the members of a JSON Web Key.
    init(_ members: KeyMembers) throws(JOSEError) {
        switch try members.type() {
        case .rsa: self = .rsa(try RSADecryptionKey(members))
        case .ec, .okp: self = .agreement(try KeyAgreementPrivateKey(members))
        case .oct:
            let bytes = try members.bytes("k")
            guard [16, 24, 32, 48, 64].contains(bytes.count) else {
                throw JOSEError(.unusableKey, "no supported algorithm has keys of \(bytes.count * 8) bits")
            }
            self = .symmetric(SymmetricKey(data: bytes))
        }
    }

    /// Whether type, curve and length of the key fit the parameters.
    func fits(_ parameters: KeyManagementParameters, _ cipher: ContentCipher) -> Bool {
        switch (self, parameters) {
        case (.rsa, .rsa): true
        case (.agreement(let key), .agreement(let agreement)): key.publicKey.curve == agreement.ephemeralKey.curve
        case (.symmetric(let key), .keyWrap(let length)), (.symmetric(let key), .gcmKeyWrap(let length, _, _)): key.bitCount == length * 8
        case (.symmetric(let key), .direct): key.bitCount == cipher.keyLength * 8
        default: false
        }
    }
}
