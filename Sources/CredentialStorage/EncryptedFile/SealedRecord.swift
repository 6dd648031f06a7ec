import AuthHubPrimitives
import Crypto

/// The bytes of a record in a file.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | `AHCR` |
/// | 1 | format, 2 |
/// | 8 | the key's identifier (format 1: absent) |
/// | 8 | generation, incremented with each write (format 1: absent, assumed to be 0) |
/// | 16 | the credential's version |
/// | 12 | nonce of AES-256-GCM, random for each write |
/// | any | encrypted account and payload |
/// | 16 | tag |
///
/// The header (everything before the nonce) and the record's name, which represents the account, are authenticated as associated data: a
/// record that is renamed, or whose version or generation is changed, does not open.
enum SealedRecord {
    private static let format = RecordFormat.sealed
    private static let versionLength = 16
    private static let nonceLength = 12
    private static let tagLength = 16

    /// The size of a record without the account and the payload, in bytes.
    static let overhead = RecordFormat.startLength + KeyIdentifier.length + 8 + versionLength + nonceLength + tagLength

    /// The unencrypted fields of a record; not trustworthy before it is opened.
    struct Header {
        /// nil in format 1.
        let key: KeyIdentifier?
        let generation: UInt64
        let version: CredentialVersion
        fileprivate let length: Int
    }
}

extension SealedRecord {
    static func seal(
        _ credential: StoredCredential, of account: CredentialAccount, generation: UInt64, with key: SealingKey
    ) throws(CredentialStoreError) -> [UInt8] {
        let header = format.start + key.id.bytes + generation.bytes + credential.version.bytes
        let plain = try account.recordIdentity + credential.payload.reveal()
        do {
            let box = try AES.GCM.seal(plain, using: key.record, authenticating: header + RecordName(account).digest)
            return header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw CredentialStoreError(.failed, "the record could not be encrypted", underlying: error)
        }
    }

    /// Reads the header of a record.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.corrupt` if the bytes are not a record.
    static func header(of bytes: [UInt8]) throws(CredentialStoreError) -> Header {
        let found = try format.version(of: bytes)
        var rest = bytes.dropFirst(RecordFormat.startLength)
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let key = found > 1 ? KeyIdentifier(bytes: take(KeyIdentifier.length)) : nil
        let generation = found > 1 ? UInt64(bytes: take(8)) : 0
        let version = CredentialVersion(bytes: take(versionLength))
        guard rest.count >= nonceLength + tagLength, generation <= Generations.highest else { throw .damagedRecord }
        return Header(key: key, generation: generation, version: version, length: bytes.count - rest.count)
    }

    /// Decrypts a record that was found under a name; nil if the key does not decrypt it.
    static func open(_ bytes: [UInt8], _ header: Header, named name: RecordName, with key: SealingKey) -> OpenRecord? {
        let sealed = bytes[header.length...]
        guard let nonce = try? AES.GCM.Nonce(data: sealed.prefix(nonceLength)),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropFirst(nonceLength).dropLast(tagLength), tag: sealed.suffix(tagLength)),
            let opened = try? AES.GCM.open(box, using: key.record, authenticating: bytes[..<header.length] + name.digest)
        else { return nil }
        let plain = Array(opened)
        guard let identity = CredentialAccount.reading(identityFrom: plain[...]), RecordName(identity.account) == name else { return nil }
        let credential = StoredCredential(payload: Secret(Array(plain[identity.end...])), version: header.version)
        return OpenRecord(account: identity.account, credential: credential, generation: header.generation)
    }
}
