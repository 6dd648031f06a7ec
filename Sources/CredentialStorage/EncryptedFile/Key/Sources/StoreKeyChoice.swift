/// The source of a store's key, as recorded with the store; an open set of names.
public struct StoreKeyChoice: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An item in the desktop's Secret Service.
    public static let secretService = Self(rawValue: "secret-service")
    /// ``CredentialsDirectoryKey``.
    public static let credentialsDirectory = Self(rawValue: "credentials-directory")
    /// ``EnvironmentKeyFile``.
    public static let keyFile = Self(rawValue: "key-file")
    /// ``PassphraseKey``.
    public static let passphrase = Self(rawValue: "passphrase")
    /// A ``KeyFile`` next to the records, which the store creates itself.
    public static let ownKeyFile = Self(rawValue: "own-key-file")
}

extension StoreKeyChoice: CustomStringConvertible {
    public var description: String { rawValue }
}

extension StoreKeyChoice {
    /// A sentence for the user that says what the source protects the records against.
    public var strength: String {
        switch self {
        case .secretService:
            "The key lies in the desktop's keyring, which opens when you log in: copies of the records are useless without your password."
        case .credentialsDirectory:
            "systemd hands the key to the service alone: copies of the records are useless without this machine's credential."
        case .keyFile:
            "The key lies in the file that \(EnvironmentKeyFile.variable) names: records are as safe as that file is kept apart from them."
        case .passphrase:
            "The key opens with your passphrase: copies of the records are as safe as it is hard to guess."
        case .ownKeyFile:
            "The key lies in a file beside the records: it guards copies of the records alone, not copies of the whole folder."
        default:
            "This program does not know the source \(rawValue)."
        }
    }
}
