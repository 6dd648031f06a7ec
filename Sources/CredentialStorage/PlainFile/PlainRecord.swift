import AuthHubPrimitives
import Crypto

/// The bytes of a record in an unprotected file.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | `AHPL` |
/// | 1 | format, 1 |
/// | 8 | generation, incremented with each write |
/// | 16 | the credential's version |
/// | 32 | SHA-256 of everything else |
/// | any | account and payload |
enum PlainRecord {
    static let magic = Array("AHPL".utf8)
    private static let format: UInt8 = 1
    private static let versionLength = 16
    private static let headerLength = magic.count + 1 + 8 + versionLength

    /// The size of a record without the account and the payload, in bytes.
    static let overhead = headerLength + SHA256.byteCount
}

extension PlainRecord {
    static func bytes(
        of credential: StoredCredential, _ account: CredentialAccount, generation: UInt64
    ) throws(CredentialStoreError) -> [UInt8] {
        let header = magic + [format] + generation.bytes + credential.version.bytes
        let contents = try account.recordIdentity + credential.payload.reveal()
        return header + Array(SHA256.hash(data: header + contents)) + contents
    }

    /// Reads a record that was found under a name.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.corrupt` if it is not a complete record of that
    ///   name.
    static func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> OpenRecord {
        try checkFormat(bytes)
        guard bytes.count >= overhead else { throw SealedRecord.damaged }
        let (header, hash) = (bytes[..<headerLength], bytes[headerLength..<overhead])
        let contents = bytes[overhead...]
        let generation = UInt64(bytes: header.dropFirst(magic.count + 1).prefix(8))
        guard hash.elementsEqual(SHA256.hash(data: header + contents)), generation <= Generations.highest,
            let identity = CredentialAccount.reading(identityFrom: contents), RecordName(identity.account) == name
        else { throw SealedRecord.damaged }
        let version = CredentialVersion(bytes: Array(header.suffix(versionLength)))
        return OpenRecord(
            account: identity.account,
            credential: StoredCredential(payload: Secret(Array(contents[identity.end...])), version: version),
            generation: generation)
    }

    private static func checkFormat(_ bytes: [UInt8]) throws(CredentialStoreError) {
        guard !bytes.starts(with: SealedRecord.magic) else {
            throw CredentialStoreError(
                .refused, "The record is an encrypted one, and this is a store of plain records. Give each store a folder of its own.")
        }
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw SealedRecord.damaged }
        let found = bytes[magic.count]
        guard found <= format else {
            throw CredentialStoreError(
                .tooNew,
                "A newer program wrote the record (format \(found); this one knows \(format)). Update this program. The record was kept.")
        }
        guard found == format else { throw SealedRecord.damaged }
    }
}
