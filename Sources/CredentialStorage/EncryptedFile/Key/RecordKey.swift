import AuthHubPrimitives
import Crypto
import Synchronization

/// The key that seals records, made from the source's key and kept for the next use.
final class RecordKey: Sendable {
    private let source: any StoreKeySource
    private let kept = Mutex<SymmetricKey?>(nil)

    init(source: any StoreKeySource) {
        self.source = source
    }
}

extension RecordKey {
    /// The key of records that exist.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` where there is none.
    func forReading() throws(CredentialStoreError) -> SymmetricKey {
        if let key = kept.withLock({ $0 }) { return key }
        guard let key = try reload() else { throw Self.missing }
        return key
    }

    /// The key for a new record; made if this is the first.
    ///
    /// A missing key beside records is an error: with a new one they would be lost without a word.
    func forWriting(hasRecords: () throws(CredentialStoreError) -> Bool) throws(CredentialStoreError) -> SymmetricKey {
        // Not the one that was kept: nobody else could read a record sealed with a key that is not there any more.
        if let key = try reload() { return key }
        if try hasRecords() {
            // They may be the first of another process, which made the key after the look for it above.
            guard let key = try reload() else { throw Self.missing }
            return key
        }
        guard let key = try keep(source.key(creatingIfMissing: true)) else {
            throw CredentialStoreError(.unavailable, "The source of the store's key made no key. Choose another one.")
        }
        return key
    }

    /// Asks the source again, where the key may have been replaced.
    func reload() throws(CredentialStoreError) -> SymmetricKey? {
        try keep(source.key(creatingIfMissing: false))
    }

    private func keep(_ secret: Secret<[UInt8]>?) throws(CredentialStoreError) -> SymmetricKey? {
        guard let secret else { return nil }
        let bytes = secret.reveal()
        guard bytes.count >= 16 else {
            throw CredentialStoreError(.corrupt, "The store's key has \(bytes.count) bytes; at least 16 are needed. Check its source.")
        }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), info: Array("AuthHub credential record".utf8), outputByteCount: 32)
        kept.withLock { $0 = key }
        return key
    }

    private static var missing: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "The store's key is missing, and the records cannot be read without it. Put it back from a backup, or remove the records and sign in again."
        )
    }
}
