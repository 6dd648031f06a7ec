#if PostgreSQL
import CredentialStorage

/// The name of the schema that contains everything of the store, and names derived from it.
struct Schema: Sendable {
    /// The newest version of the tables that this program knows.
    static let version = 1

    let name: String

    /// Creates a schema.
    ///
    /// - Throws: ``CredentialStoreError`` with `.failed` if the name would need quoting.
    init(_ name: String) throws(CredentialStoreError) {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9"), bytes = Array(name.utf8)
        let isPlain = bytes.allSatisfy { letters ~= $0 || digits ~= $0 || $0 == UInt8(ascii: "_") }
        guard isPlain, (1...40).contains(bytes.count), let first = bytes.first, !(digits ~= first), !name.hasPrefix("pg_") else {
            throw CredentialStoreError(
                .failed, "the schema name is not valid; use 1 to 40 of a–z, 0–9 and _, beginning with a letter or _ but not with pg_")
        }
        self.name = name
    }

    var records: String { "\"\(name)\".records" }
    var leases: String { "\"\(name)\".leases" }
    var versions: String { "\"\(name)\".schema_version" }
    var changesChannel: String { "\(name)_changes" }
    var leasesChannel: String { "\(name)_leases" }
}
#endif
