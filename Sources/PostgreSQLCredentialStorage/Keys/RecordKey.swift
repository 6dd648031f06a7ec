#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Crypto

/// A key of the keyring, from which the key of each account's records is derived.
///
/// Each account has its own key, so that random nonces are very unlikely to repeat, whatever the number of accounts and years.
struct RecordKey: Sendable {
    private static let purpose = Array("AuthHub PostgreSQL credential record".utf8)

    let id: String
    private let extracted: HashedAuthenticationCode<SHA256>

    init(_ key: CredentialKeyring.Key) throws(CredentialStoreError) {
        let name = key.id.utf8
        guard (1...64).contains(name.count), name.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw CredentialStoreError(.corrupt, "the key name must be 1 to 64 printable ASCII characters without spaces")
        }
        let material = key.material.reveal()
        guard material.count >= 32 else {
            throw CredentialStoreError(.corrupt, "the key “\(key.id)” has \(material.count) bytes, but needs at least 32")
        }
        id = key.id
        extracted = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: material), salt: [UInt8]())
    }

    func key(for account: CredentialAccount.ID) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: Self.purpose + account.bytes, outputByteCount: 32)
    }
}
#endif
