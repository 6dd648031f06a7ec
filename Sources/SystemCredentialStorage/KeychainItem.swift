#if canImport(Darwin) || SECURITY_ON_LINUX
import AuthHubPrimitives
import CredentialStorage
import Foundation

/// A record as an item of the keychain. The item contains the account's names, because it is found by a digest of them.
struct KeychainItem: Sendable {
    let name: KeychainItemName
    let value: Secret<[UInt8]>

    /// The first byte of the mark and the value: a later program may change the rest, and earlier ones do not mistake its items for their
    /// own.
    static let format: UInt8 = 1

    init(name: KeychainItemName, value: Secret<[UInt8]>) {
        self.name = name
        self.value = value
    }

    init(of account: CredentialAccount, payload: Secret<[UInt8]>, version: CredentialVersion) {
        let names = try? JSONEncoder().encode([account.server, account.clientID, account.label])
        name = KeychainItemName(
            digest: account.id.keychainName, names: names?.base64EncodedString(), mark: KeychainItemName.mark(of: version))
        value = Secret([Self.format] + payload.reveal())
    }
}

extension KeychainItem {
    /// Returns the content of the item.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` if it is damaged, or belongs to another account; with `.tooNew`.
    func credential(of account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential {
        guard try name.account() == account else { throw name.damaged }
        return StoredCredential(payload: try payload(), version: try name.version())
    }

    func payload() throws(CredentialStoreError) -> Secret<[UInt8]> {
        guard let format = value.reveal().first else { throw name.damaged }
        guard format == Self.format else { throw KeychainItemName.tooNew }
        return Secret(Array(value.reveal().dropFirst()))
    }
}

/// An item without its value.
struct KeychainItemName: Sendable {
    /// The account's identifier, in hexadecimal.
    let digest: String
    /// The account's names, as JSON in Base64, which preserves all characters.
    let names: String?
    /// The unique mark of one write.
    let mark: [UInt8]?

    static func mark(of version: CredentialVersion) -> [UInt8] { [KeychainItem.format] + version.bytes }

    /// Returns the version.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` or `.tooNew`.
    func version() throws(CredentialStoreError) -> CredentialVersion {
        guard let mark, mark.count > 1 else { throw damaged }
        guard mark[0] == KeychainItem.format else { throw Self.tooNew }
        return CredentialVersion(bytes: Array(mark.dropFirst()))
    }

    /// Returns the account.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` if the names are damaged, or do not match the digest; with `.tooNew`.
    func account() throws(CredentialStoreError) -> CredentialAccount {
        _ = try version()
        guard let data = names.flatMap({ Data(base64Encoded: $0) }), let names = try? JSONDecoder().decode([String].self, from: data),
            names.count == 3
        else { throw damaged }
        let account = CredentialAccount(server: names[0], clientID: names[1], label: names[2])
        guard account.id.keychainName == digest else { throw damaged }
        return account
    }

    var damaged: CredentialStoreError {
        CredentialStoreError(.corrupt, "the keychain item \(digest.prefix(8))… is damaged; sign in again to replace it")
    }

    static var tooNew: CredentialStoreError {
        CredentialStoreError(.tooNew, "a newer version of the program wrote the keychain item; use that version, or sign in again")
    }
}

extension CredentialAccount.ID {
    private static let digits = Array("0123456789abcdef".utf8)

    var keychainName: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
#endif
