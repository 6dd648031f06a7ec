import AuthHubPrimitives
import Crypto

/// A key that encrypts records, and the keys derived from it.
struct SealingKey: Sendable {
    /// The key that encrypts the records themselves.
    let record: SymmetricKey
    let id: KeyIdentifier

    init(record: SymmetricKey) {
        self.record = record
        id = KeyIdentifier(bytes: Self.derived(from: record, "AuthHub key identifier", KeyIdentifier.length).withUnsafeBytes(Array.init))
    }

    /// Creates a key from a secret.
    ///
    /// - Parameter secret: The secret that a key source returned.
    /// - Throws: ``CredentialStoreError`` with `.corrupt` if it has less than 16 bytes.
    init(_ secret: Secret<[UInt8]>) throws(CredentialStoreError) {
        let count = secret.reveal().count
        guard count >= 16 else {
            throw CredentialStoreError(.corrupt, "the store's key has \(count) bytes, but needs at least 16; check its source")
        }
        self.init(
            record: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret.reveal()), info: Array("AuthHub credential record".utf8), outputByteCount: 32))
    }

    /// The key that authenticates the generation marks.
    var mark: SymmetricKey { Self.derived(from: record, "AuthHub generation mark", 32) }
    /// The key that encrypts the key that replaces this one, or this key's predecessor.
    var change: SymmetricKey { Self.derived(from: record, "AuthHub key change", 32) }

    private static func derived(from record: SymmetricKey, _ use: String, _ count: Int) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: record, info: Array(use.utf8), outputByteCount: count)
    }
}
