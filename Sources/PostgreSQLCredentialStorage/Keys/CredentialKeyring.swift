#if PostgreSQL
public import AuthHubPrimitives
public import CredentialStorage

/// The keys that seal the records of a ``PostgreSQLCredentialStore``: one for what is written, and others for what was written before.
///
/// Every program that uses the store needs all keys whose records there are. To go over to a new key without stopping anything:
///
/// 1. Give all programs the new key among the `older` ones, so that each of them can read what another one writes with it.
/// 2. Make it the current one everywhere, and the one before an older one.
/// 3. Call ``PostgreSQLCredentialStore/reencrypt(batch:progress:)`` until nothing remains, on any machine, while the others work.
/// 4. Take the old key away everywhere.
public struct CredentialKeyring: Sendable {
    /// A key and what it is called. The name stands beside each record, readable; the key never leaves the program.
    public struct Key: Sendable {
        /// 1 to 64 printable ASCII characters, the same on all machines, never used again for another key.
        public let id: String
        /// What the record's keys are made of: at least 32 bytes that no one can guess.
        public let material: Secret<[UInt8]>

        public init(id: String, material: Secret<[UInt8]>) {
            self.id = id
            self.material = material
        }
    }

    let current: RecordKey
    private let keys: [String: RecordKey]

    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.corrupt` for a key that is too short, a name that is not as described, or two keys of a name.
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

    /// The names of the keys that records are not written with any more.
    var olderIDs: [String] { keys.keys.filter { $0 != current.id }.sorted() }

    /// All names, each in a line of its own.
    var names: String { keys.keys.sorted().joined(separator: "\n") }

    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.keyMissing`, naming the key, where it is not among these.
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
