/// A way of keeping credentials, by the name that people type and that the record of a choice holds; an open set.
public struct CredentialStoreKind: Sendable, Hashable {
    public let name: String

    /// - Parameter name: As a record of a choice holds it, perhaps one of a newer program.
    public init(named name: String) {
        self.name = name
    }

    /// The keyring of the desktop: GNOME Keyring, KWallet, KeePassXC.
    public static let secretService = Self(named: "secret-service")
    /// Apple's keychain. `platformDefault(service:)` does not take it yet; `SystemCredentialStorage` has the store.
    public static let keychain = Self(named: "keychain")
    /// Encrypted files in the person's data folder.
    public static let encryptedFile = Self(named: "file")
    /// Files that hold the tokens as they are. Never chosen unless a person asks for it by this name.
    public static let plainFile = Self(named: "plain")
}

extension CredentialStoreKind: CustomStringConvertible {
    public var description: String { name }
}
