/// The start of a record's file: letters that identify the kind of file store, and the version of the format.
enum RecordFormat: Sendable {
    case sealed, plain

    var magic: [UInt8] {
        switch self {
        case .sealed: Array("AHCR".utf8)
        case .plain: Array("AHPL".utf8)
        }
    }

    /// The version in which records are written.
    var version: UInt8 {
        switch self {
        case .sealed: 2
        case .plain: 1
        }
    }

    /// The bytes at the start of a new record.
    var start: [UInt8] { magic + [version] }

    /// The length of the start, in bytes.
    static let startLength = 5
}

extension RecordFormat {
    /// Returns the version of a record.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the version is newer, with `.refused` if the record belongs to the other kind
    ///   of file store, with `.corrupt` for anything else.
    func version(of bytes: [UInt8]) throws(CredentialStoreError) -> UInt8 {
        guard !bytes.starts(with: other.magic) else { throw ofOtherStore }
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw .damagedRecord }
        let found = bytes[magic.count]
        guard found <= version else { throw .newerRecord(found, known: version) }
        guard found > 0 else { throw .damagedRecord }
        return found
    }

    private var other: Self {
        switch self {
        case .sealed: .plain
        case .plain: .sealed
        }
    }

    private var ofOtherStore: CredentialStoreError {
        switch self {
        case .sealed:
            CredentialStoreError(
                .refused, "the record is not encrypted, but this store's records must be; use a separate folder for each store")
        case .plain:
            CredentialStoreError(
                .refused, "the record is encrypted, but this store's records are not; use a separate folder for each store")
        }
    }
}

extension CredentialStoreError {
    static var damagedRecord: Self {
        Self(.corrupt, "the record is damaged or belongs to another account; it was not changed; sign out and in again to replace it")
    }

    /// Creates the error for a record that a newer program wrote in a newer format.
    package static func newerRecord(_ found: UInt8, known: UInt8) -> Self {
        Self(
            .tooNew,
            "a newer version of this program wrote the record (format \(found); this version supports \(known)); it was not changed; update this program"
        )
    }
}
