/// The source of a store's key, as recorded with the store. More sources may be added.
package struct StoreKeyChoice: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    /// Creates a choice from its recorded name, possibly from a newer program.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An item in the desktop's Secret Service.
    package static let secretService = Self(rawValue: "secret-service")
    /// ``CredentialsDirectoryKey``.
    package static let credentialsDirectory = Self(rawValue: "credentials-directory")
    /// ``EnvironmentKeyFile``.
    package static let keyFile = Self(rawValue: "key-file")
    /// ``PassphraseKey``.
    package static let passphrase = Self(rawValue: "passphrase")
    /// A ``KeyFile`` next to the records, created by the store itself.
    package static let ownKeyFile = Self(rawValue: "own-key-file")
}

extension StoreKeyChoice: CustomStringConvertible {
    package var description: String { rawValue }
}

extension StoreKeyChoice {
    /// What the source protects the records against, as a sentence for the user.
    package var strength: String {
        switch self {
        case .secretService:
            "The key is in the desktop's keyring, which opens when you log in: copies of the records are useless without your password."
        case .credentialsDirectory:
            "systemd gives the key only to the service: copies of the records are useless without this machine's credential."
        case .keyFile:
            "The key is in the file that \(EnvironmentKeyFile.variable) names: the records are only safe if that file is kept apart from them."
        case .passphrase:
            "The key is encrypted with your passphrase: copies of the records are as safe as the passphrase is hard to guess."
        case .ownKeyFile:
            "The key is in a file next to the records: it protects copies of the records only, not copies of the whole folder."
        default:
            "This program does not support the key source \(rawValue)."
        }
    }
}
