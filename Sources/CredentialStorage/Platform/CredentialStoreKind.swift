/// A kind of store, identified by the name that users type and that a recorded choice contains; an open set.
public struct CredentialStoreKind: Sendable, Hashable {
    public let name: String

    /// Creates a kind.
    ///
    /// - Parameter name: The name in the record of a choice, which a newer program may have written.
    public init(named name: String) {
        self.name = name
    }

    /// The desktop's keyring: GNOME Keyring, KWallet, KeePassXC.
    public static let secretService = Self(named: "secret-service")
    /// Apple's keychain. ``CredentialStore/platformDefault(service:)`` does not use it yet; the store is in `SystemCredentialStorage`.
    public static let keychain = Self(named: "keychain")
    /// Encrypted files in the user's data folder.
    public static let encryptedFile = Self(named: "file")
    /// Files with unencrypted tokens. Never chosen unless the user requests it by this name.
    public static let plainFile = Self(named: "plain")
}

extension CredentialStoreKind: CustomStringConvertible {
    public var description: String { name }
}
