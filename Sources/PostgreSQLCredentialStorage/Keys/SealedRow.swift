#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Crypto

/// A record as stored in the table.
///
/// `sealed` is a nonce of 12 bytes, the account's names and the payload encrypted with AES-256-GCM, and the tag of 16 bytes. The account,
/// the version, the key's ID and the format are authenticated as associated data: a record that is moved, renamed or restored does not
/// open.
struct SealedRow: Sendable {
    static let format = 1
    private static let nonceLength = 12
    private static let tagLength = 16
    /// The maximum total length of an account's three names, in bytes.
    private static let largestIdentity = 1 << 16

    let account: CredentialAccount.ID
    let version: CredentialVersion
    let keyID: String
    let format: Int
    let sealed: [UInt8]
}

extension SealedRow {
    init(
        sealing credential: StoredCredential, of account: CredentialAccount, with key: RecordKey
    ) throws(CredentialStoreError) {
        let identity = account.identity
        guard identity.count <= Self.largestIdentity else {
            throw CredentialStoreError(.tooLarge, "the account's names have more than \(Self.largestIdentity) bytes; use shorter ones")
        }
        try self.init(sealing: identity + credential.payload.reveal(), account.id, credential.version, with: key)
    }

    private init(
        sealing plain: [UInt8], _ account: CredentialAccount.ID, _ version: CredentialVersion, with key: RecordKey
    ) throws(CredentialStoreError) {
        self.account = account
        self.version = version
        keyID = key.id
        format = Self.format
        do {
            let box = try AES.GCM.seal(
                plain, using: key.key(for: account),
                authenticating: Self.associated(account, version, key.id, Self.format))
            sealed = Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw CredentialStoreError(.failed, "the record could not be encrypted", underlying: error)
        }
    }

    /// Opens the record.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.keyMissing` if its key is missing, with `.corrupt`
    ///   if it is not a complete record of the account.
    func open(with keyring: CredentialKeyring) throws(CredentialStoreError) -> (account: CredentialAccount, credential: StoredCredential) {
        let plain = try plain(with: keyring)
        guard let identity = CredentialAccount.reading(identityFrom: plain[...]), identity.account.id == account else { throw Self.damaged }
        return (identity.account, StoredCredential(payload: Secret(Array(plain[identity.end...])), version: version))
    }

    /// Returns the same record, encrypted with the current key of the keyring.
    func resealed(with keyring: CredentialKeyring) throws(CredentialStoreError) -> Self {
        try Self(sealing: plain(with: keyring), account, version, with: keyring.current)
    }

    private func plain(with keyring: CredentialKeyring) throws(CredentialStoreError) -> [UInt8] {
        guard format <= Self.format else {
            throw CredentialStoreError(
                .tooNew,
                "a newer version of this program wrote the record (format \(format); this version supports \(Self.format)); it was not changed; update this program"
            )
        }
        guard format == Self.format, sealed.count >= Self.nonceLength + Self.tagLength else { throw Self.damaged }
        let key = try keyring.key(keyID).key(for: account)
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: sealed[..<Self.nonceLength]),
                ciphertext: sealed[Self.nonceLength..<(sealed.count - Self.tagLength)],
                tag: sealed[(sealed.count - Self.tagLength)...])
            return Array(try AES.GCM.open(box, using: key, authenticating: Self.associated(account, version, keyID, format)))
        } catch {
            throw Self.damaged
        }
    }

    /// Returns the associated data: parts of fixed length first, and the version's length, so that it is unique for each row.
    private static func associated(
        _ account: CredentialAccount.ID, _ version: CredentialVersion, _ keyID: String, _ format: Int
    ) -> [UInt8] {
        [UInt8(truncatingIfNeeded: format)] + account.bytes + [UInt8(truncatingIfNeeded: version.bytes.count)] + version.bytes
            + Array(keyID.utf8)
    }

    static var damaged: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "the record is damaged, belongs to another account, or was encrypted with another key of the same name; it was not changed; sign out and in again to replace it"
        )
    }
}
#endif
