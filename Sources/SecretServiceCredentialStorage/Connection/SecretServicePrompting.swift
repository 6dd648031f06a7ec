import CredentialStorage

/// Whether the user may be asked to unlock the keyring, and how long to wait.
public struct SecretServicePrompting: Sendable, Hashable {
    /// The maximum time to wait for the user; nil if the user is never asked.
    let timeout: Duration?
    package let makesCollection: Bool

    /// Never asks the user. A locked keyring is an error (`.locked`), and so is a missing one (`.unavailable`).
    public static let never = Self(timeout: nil, makesCollection: false)

    /// Asks the user to unlock a locked keyring.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait for the user. The prompt is dismissed after this time, or if the task is cancelled.
    ///   - makingKeyring: Whether to create a keyring, with a password that the user chooses, if there is none.
    public static func allowed(waitingAtMost timeout: Duration, makingKeyring: Bool = false) -> Self {
        Self(timeout: timeout, makesCollection: makingKeyring)
    }
}

/// A keyring that the Secret Service manages.
public enum SecretServiceCollection: Sendable, Hashable {
    /// The desktop's default keyring, which is stored permanently.
    case `default`
    /// A keyring in memory, which is lost when the user logs out.
    case session
}
