import AuthHubPrimitives
import Crypto

/// A record as bytes in a file.
///
/// | bytes | what |
/// | --- | --- |
/// | 4 | `AHCR` |
/// | 1 | format, 1 |
/// | 16 | the credential's version |
/// | 12 | nonce of AES-256-GCM, random for each write |
/// | any | account and payload, sealed |
/// | 16 | tag |
///
/// Sealed with it as associated data are the header (all before the nonce) and the record's name, which stands for the account: a
/// record that is renamed, or given another version, does not open.
enum SealedRecord {
    private static let magic = Array("AHCR".utf8)
    private static let format: UInt8 = 1
    private static let versionLength = 16
    private static let headerLength = magic.count + 1 + versionLength
    private static let nonceLength = 12
    private static let tagLength = 16
    private static let overhead = headerLength + nonceLength + tagLength
    /// The longest that an account's three names may be together, in bytes.
    private static let largestIdentity = 1 << 16

    /// No record's file is larger.
    static let largestSize = overhead + largestIdentity + StoredCredential.largestPayload
}

extension SealedRecord {
    static func seal(
        _ credential: StoredCredential, of account: CredentialAccount, with key: SymmetricKey
    ) throws(CredentialStoreError) -> [UInt8] {
        let identity = account.identity
        guard identity.count <= largestIdentity else {
            throw CredentialStoreError(.tooLarge, "The account's names have more than \(largestIdentity) bytes. Take shorter ones.")
        }
        let header = magic + [format] + credential.version.bytes
        do {
            let box = try AES.GCM.seal(
                identity + credential.payload.reveal(), using: key, authenticating: header + RecordName(account).digest)
            return header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw CredentialStoreError(.failed, "The record could not be sealed.", underlying: error)
        }
    }

    /// Opens a record that was found under a name.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` for a later format, with `.corrupt` for anything but a whole record of that name.
    static func open(
        _ bytes: [UInt8], named name: RecordName, with key: SymmetricKey
    ) throws(CredentialStoreError) -> (account: CredentialAccount, credential: StoredCredential) {
        try checkFormat(bytes)
        guard bytes.count >= overhead, bytes.count <= largestSize else { throw damaged }
        let header = bytes[..<headerLength]
        let plain: [UInt8]
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: bytes[headerLength..<headerLength + nonceLength]),
                ciphertext: bytes[(headerLength + nonceLength)..<(bytes.count - tagLength)],
                tag: bytes[(bytes.count - tagLength)...])
            plain = Array(try AES.GCM.open(box, using: key, authenticating: Array(header) + name.digest))
        } catch {
            throw damaged
        }
        guard let identity = CredentialAccount.reading(identityFrom: plain[...]), RecordName(identity.account) == name else {
            throw damaged
        }
        let version = CredentialVersion(bytes: Array(header.suffix(versionLength)))
        return (identity.account, StoredCredential(payload: Secret(Array(plain[identity.end...])), version: version))
    }

    private static func checkFormat(_ bytes: [UInt8]) throws(CredentialStoreError) {
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw damaged }
        let found = bytes[magic.count]
        guard found <= format else {
            throw CredentialStoreError(
                .tooNew,
                "A newer program wrote the record (format \(found); this one knows \(format)). Update this program. The record was kept.")
        }
        guard found == format else { throw damaged }
    }

    private static var damaged: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "The record is damaged, belongs to another account, or was sealed with another key. It was kept; sign out and in again to replace it."
        )
    }
}
