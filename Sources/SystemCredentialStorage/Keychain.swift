#if canImport(Darwin) || SECURITY_ON_LINUX
import AuthHubPrimitives
import CredentialStorage
import Foundation
import Security

/// The items of one service, accessed through calls of the Security framework, each of which blocks.
struct Keychain: Sendable {
    let service: String
    /// The access group; if nil, the program's own.
    let accessGroup: String?

    static var applicationSupport: String? {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?.path
    }
}

extension Keychain {
    func item(of account: CredentialAccount.ID) throws(CredentialStoreError) -> KeychainItem? {
        try item(named: account.keychainName)
    }

    /// Adds an item.
    ///
    /// - Returns: False if it exists already.
    func add(_ item: KeychainItem) throws(CredentialStoreError) -> Bool {
        var attributes = query(item.name.digest)
        attributes.merge(contents(of: item)) { $1 }
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return try didFind(SecItemAdd(attributes as CFDictionary, nil), otherwise: errSecDuplicateItem, to: "write")
    }

    /// Replaces an item with a compare-and-set in one call: only an item with the version matches.
    ///
    /// - Returns: False if there is none, or one with another version.
    func replace(
        _ account: CredentialAccount.ID, at version: CredentialVersion, with item: KeychainItem
    ) throws(CredentialStoreError) -> Bool {
        let query = query(account.keychainName, mark: KeychainItemName.mark(of: version))
        return try didFind(
            SecItemUpdate(query as CFDictionary, contents(of: item) as CFDictionary), otherwise: errSecItemNotFound, to: "write")
    }

    /// Deletes an item.
    ///
    /// - Returns: False if there is none, or one with another version.
    func delete(_ account: CredentialAccount.ID, at version: CredentialVersion?) throws(CredentialStoreError) -> Bool {
        try delete(itemNamed: account.keychainName, at: version.map(KeychainItemName.mark))
    }

    func delete(itemNamed digest: String, at mark: [UInt8]?) throws(CredentialStoreError) -> Bool {
        try didFind(SecItemDelete(query(digest, mark: mark) as CFDictionary), otherwise: errSecItemNotFound, to: "delete")
    }

    /// Returns all items without their values, because macOS does not return the values of several items at once.
    func names() throws(CredentialStoreError) -> [KeychainItemName] {
        var query = query(nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        guard let found = try copy(query) as? [[String: Any]] else { return [] }
        return found.map { attributes in
            KeychainItemName(
                digest: attributes[kSecAttrAccount as String] as? String ?? "", names: attributes[kSecAttrComment as String] as? String,
                mark: (attributes[kSecAttrGeneric as String] as? Data).map(Array.init))
        }
    }

    /// Returns whether an item can be removed as damaged. False if it cannot be read now, or a newer program may read it.
    func isCorrupt(_ name: KeychainItemName) throws(CredentialStoreError) -> Bool {
        do throws(CredentialStoreError) {
            _ = try name.account()
            _ = try item(named: name.digest)?.payload()
            return false
        } catch {
            guard error.code == .corrupt else {
                if error.code == .tooNew { return false }
                throw error
            }
            return true
        }
    }
}

extension Keychain {
    private func item(named digest: String) throws(CredentialStoreError) -> KeychainItem? {
        var query = query(digest)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        guard let found = try copy(query) as? [String: Any] else { return nil }
        let name = KeychainItemName(
            digest: digest, names: found[kSecAttrComment as String] as? String,
            mark: (found[kSecAttrGeneric as String] as? Data).map(Array.init))
        return KeychainItem(
            name: name,
            value: Secret((found[kSecValueData as String] as? Data).map(Array.init) ?? []))
    }

    private func query(_ digest: String?, mark: [UInt8]? = nil) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecUseDataProtectionKeychain as String: true,
            kSecAttrSynchronizable as String: false,
            kSecAttrService as String: service,
        ]
        if let digest { query[kSecAttrAccount as String] = digest }
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        if let mark { query[kSecAttrGeneric as String] = Data(mark) }
        return query
    }

    private func contents(of item: KeychainItem) -> [String: Any] {
        [
            kSecAttrComment as String: item.name.names ?? "",
            kSecAttrGeneric as String: Data(item.name.mark ?? []),
            kSecValueData as String: Data(item.value.reveal()),
        ]
    }

    private func copy(_ query: [String: Any]) throws(CredentialStoreError) -> Any? {
        var found: CFTypeRef?
        let isFound = try didFind(SecItemCopyMatching(query as CFDictionary, &found), otherwise: errSecItemNotFound, to: "read")
        return isFound ? found : nil
    }

    private func didFind(
        _ status: OSStatus, otherwise none: OSStatus, to work: String
    ) throws(CredentialStoreError) -> Bool {
        if status == errSecSuccess { return true }
        if status == none { return false }
        throw CredentialStoreError(
            keychainStatus: status, to: work, words: SecCopyErrorMessageString(status, nil).map { "\($0)" })
    }
}
#endif
