/// A kind of credential store, with the name that users type and that is recorded. More kinds may be added.
public struct CredentialStoreKind: Sendable, Hashable {
    /// The name that users type and that is recorded, such as `file`.
    public let name: String

    /// - Parameter name: The recorded name, possibly from a newer program.
    package init(named name: String) {
        self.name = name
    }

    /// The desktop's keyring: GNOME Keyring, KWallet, KeePassXC.
    package static let secretService = Self(named: "secret-service")
    /// Apple's keychain. `platformDefault(service:)` does not use it yet; the store is in `SystemCredentialStorage`.
    package static let keychain = Self(named: "keychain")
    /// Encrypted files in the user's data folder.
    package static let encryptedFile = Self(named: "file")
    /// Files with unencrypted tokens. Never chosen unless the user requests it by name.
    package static let plainFile = Self(named: "plain")
}

extension CredentialStoreKind: CustomStringConvertible {
    public var description: String { name }
}
