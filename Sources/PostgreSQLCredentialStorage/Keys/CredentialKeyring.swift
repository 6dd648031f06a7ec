#if PostgreSQL
public import AuthHubPrimitives
public import CredentialStorage

/// The keys that encrypt the records of a ``PostgreSQLCredentialStore``: the current one for new records, and older ones for existing
/// records.
///
/// Every program that uses the store needs the keys of all its records. To change the key without downtime:
///
/// 1. In all programs, add the new key to the `older` keys, so that each program can read the records that the others will write with it.
/// 2. In all programs, make the new key the current one, and the previous key an older one.
/// 3. Call ``PostgreSQLCredentialStore/reencrypt(batch:progress:)`` on any machine until nothing remains. The other programs can keep
///    running.
/// 4. In all programs, remove the previous key.
public struct CredentialKeyring: Sendable {
    /// A key and its name. The name is stored unencrypted with each record. The key itself is never sent to the server.
    public struct Key: Sendable {
        /// The name: 1 to 64 printable ASCII characters, the same on all machines, and never reused for another key.
        package let id: String
        /// The secret from which record keys are derived: at least 32 bytes that cannot be guessed.
        package let material: Secret<[UInt8]>

        /// Creates a key. The name and the length are validated when you create a ``CredentialKeyring``.
        public init(id: String, material: Secret<[UInt8]>) {
            self.id = id
            self.material = material
        }
    }

    let current: RecordKey
    private let keys: [String: RecordKey]

    /// Creates a keyring.
    ///
    /// - Parameters:
    ///   - current: The key that encrypts new records.
    ///   - older: The other keys that existing records may be encrypted with.
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.corrupt` if a key is too short, a name is not valid, or two keys have
    ///   the same name.
    public init(current: Key, older: [Key] = []) throws(CredentialStoreError) {
        var keys: [String: RecordKey] = [:]
        let own = try RecordKey(current)
        for key in try [own] + older.map({ key throws(CredentialStoreError) in try RecordKey(key) }) {
            guard keys.updateValue(key, forKey: key.id) == nil else {
                throw CredentialStoreError(.corrupt, "two keys are named “\(key.id)”; give each its own name")
            }
        }
        self.current = own
        self.keys = keys
    }

    /// All IDs, one per line.
    var names: String { keys.keys.sorted().joined(separator: "\n") }

    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.keyMissing`, naming the key, if it is not one of these.
    func key(_ id: String) throws(CredentialStoreError) -> RecordKey {
        guard let key = keys[id] else {
            throw CredentialStoreError(
                .keyMissing,
                "the record was encrypted with the key “\(id)”, which this program does not have; add it as the current key or an older one; the record was not changed"
            )
        }
        return key
    }
}
#endif
