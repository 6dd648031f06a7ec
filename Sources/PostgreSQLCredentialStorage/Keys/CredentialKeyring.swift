#if PostgreSQL
public import AuthHubPrimitives
public import CredentialStorage

/// The keys that encrypt the records of a ``PostgreSQLCredentialStore``: one for new records, and older ones for existing records.
///
/// Every program that uses the store needs all keys of its records. To replace the key without an interruption:
///
/// 1. Add the new key to the `older` keys of all programs, so that each of them can read records that another one writes with it.
/// 2. Make it the current key everywhere, and move the previous key to the older ones.
/// 3. Call ``PostgreSQLCredentialStore/reencrypt(batch:progress:)`` until nothing remains, on any machine, while the others continue.
/// 4. Remove the old key everywhere.
public struct CredentialKeyring: Sendable {
    /// A key and its ID. The ID is stored unencrypted with each record; the key never leaves the program.
    public struct Key: Sendable {
        /// 1 to 64 printable ASCII characters, the same on all machines, never reused for another key.
        public let id: String
        /// The material from which the records' keys are derived: at least 32 bytes that cannot be guessed.
        public let material: Secret<[UInt8]>

        public init(id: String, material: Secret<[UInt8]>) {
            self.id = id
            self.material = material
        }
    }

    let current: RecordKey
    private let keys: [String: RecordKey]

    /// Creates a keyring.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.corrupt` if a key is too short, an ID is not as described, or two keys
    ///   have the same ID.
    public init(current: Key, older: [Key] = []) throws(CredentialStoreError) {
        var keys: [String: RecordKey] = [:]
        let own = try RecordKey(current)
        for key in try [own] + older.map({ key throws(CredentialStoreError) in try RecordKey(key) }) {
            guard keys.updateValue(key, forKey: key.id) == nil else {
                throw CredentialStoreError(.corrupt, "Two keys are called “\(key.id)”. Give each its own name.")
            }
        }
        self.current = own
        self.keys = keys
    }

    /// The IDs of the keys that are no longer used for writing.
    var olderIDs: [String] { keys.keys.filter { $0 != current.id }.sorted() }

    /// All IDs, one per line.
    var names: String { keys.keys.sorted().joined(separator: "\n") }

    /// Returns the key with an ID.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.keyMissing`, naming the key, if it is not in the keyring.
    func key(_ id: String) throws(CredentialStoreError) -> RecordKey {
        guard let key = keys[id] else {
            throw CredentialStoreError(
                .keyMissing,
                "The record was sealed with the key “\(id)”, which this program was not given. Give it that key, as the current one or among the older ones. The record was kept."
            )
        }
        return key
    }
}
#endif
