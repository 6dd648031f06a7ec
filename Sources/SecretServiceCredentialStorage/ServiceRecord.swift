import CredentialStorage
import AuthHubPrimitives
import Crypto

/// A record as the secret of an item. The service encrypts it.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | `AHSR` |
/// | 1 | format, 1 |
/// | 16 | the credential's version |
/// | any | account and payload |
/// | 32 | SHA-256 of everything before |
///
/// The checksum detects records that other programs truncated or changed. It does not authenticate records: anyone who can open the keyring
/// may write one.
enum ServiceRecord {
    static let format: UInt8 = 1
    private static let magic = Array("AHSR".utf8)
    private static let versionLength = 16
    private static let headerLength = magic.count + 1 + versionLength
    /// The maximum total length of an account's three names, in bytes.
    private static let largestIdentity = 1 << 16
}

extension ServiceRecord {
    static func bytes(of credential: StoredCredential, for account: CredentialAccount) throws(CredentialStoreError) -> [UInt8] {
        let identity = account.identity
        guard identity.count <= largestIdentity else {
            throw CredentialStoreError(.tooLarge, "the account's names have more than \(largestIdentity) bytes; use shorter ones")
        }
        let payload = credential.payload.reveal()
        var bytes: [UInt8] = []
        // Avoid intermediate copies, which would not be wiped.
        bytes.reserveCapacity(headerLength + identity.count + payload.count + SHA256.byteCount)
        bytes += magic
        bytes.append(format)
        bytes += credential.version.bytes
        bytes += identity
        bytes += payload
        bytes += SHA256.hash(data: bytes)
        return bytes
    }

    /// Reads a record.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.corrupt` if it is not a complete record.
    static func read(
        _ bytes: [UInt8]
    ) throws(CredentialStoreError) -> (account: CredentialAccount, credential: StoredCredential) {
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw damaged }
        let found = bytes[magic.count]
        guard found <= format else { throw .newerRecord(found, known: format) }
        let end = bytes.count - SHA256.byteCount
        guard found == format, end >= headerLength, SHA256.hash(data: bytes[..<end]) == bytes[end...],
            let identity = CredentialAccount.reading(identityFrom: bytes[headerLength..<end])
        else { throw damaged }
        let version = CredentialVersion(bytes: Array(bytes[(magic.count + 1)..<headerLength]))
        return (identity.account, StoredCredential(payload: Secret(Array(bytes[identity.end..<end])), version: version))
    }

    static var damaged: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "the record in the keyring is damaged or belongs to another account; it was not changed; sign out and in again to replace it"
        )
    }
}
