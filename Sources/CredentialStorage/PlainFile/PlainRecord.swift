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
    private static let format = RecordFormat.plain
    private static let versionLength = 16
    private static let headerLength = RecordFormat.startLength + 8 + versionLength

    /// The size of a record without the account and the payload, in bytes.
    static let overhead = headerLength + SHA256.byteCount
}

extension PlainRecord {
    static func bytes(
        of credential: StoredCredential, _ account: CredentialAccount, generation: UInt64
    ) throws(CredentialStoreError) -> [UInt8] {
        let header = format.start + generation.bytes + credential.version.bytes
        let contents = try account.recordIdentity + credential.payload.reveal()
        return header + Array(SHA256.hash(data: header + contents)) + contents
    }

    /// Reads a record that was found under a name.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.corrupt` if it is not a complete record of that
    ///   name.
    static func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> OpenRecord {
        _ = try format.version(of: bytes)
        guard bytes.count >= overhead else { throw .damagedRecord }
        let (header, hash) = (bytes[..<headerLength], bytes[headerLength..<overhead])
        let contents = bytes[overhead...]
        let generation = UInt64(bytes: header.dropFirst(RecordFormat.startLength).prefix(8))
        guard hash.elementsEqual(SHA256.hash(data: header + contents)), generation <= Generations.highest,
            let identity = CredentialAccount.reading(identityFrom: contents), RecordName(identity.account) == name
        else { throw .damagedRecord }
        let version = CredentialVersion(bytes: Array(header.suffix(versionLength)))
        return OpenRecord(
            account: identity.account,
            credential: StoredCredential(payload: Secret(Array(contents[identity.end...])), version: version),
            generation: generation)
    }
}
