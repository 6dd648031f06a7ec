import CredentialStorage

/// Whether the user may be asked for the keyring's password, and how long to wait.
public struct SecretServicePrompting: Sendable, Hashable {
    /// Nil: nobody is asked.
    let timeout: Duration?
    package let makesCollection: Bool

    /// Never asks. A locked keyring is an error (`.locked`), and so is a missing one (`.unavailable`).
    public static let never = Self(timeout: nil, makesCollection: false)

    /// Asks the user to unlock a locked keyring.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait. After it, or if the task is cancelled, the prompt is dismissed.
    ///   - makingKeyring: Whether to create a keyring, with a password that the user chooses, if there is none.
    public static func allowed(waitingAtMost timeout: Duration, makingKeyring: Bool = false) -> Self {
        Self(timeout: timeout, makesCollection: makingKeyring)
    }
}

/// A keyring of the Secret Service.
public enum SecretServiceCollection: Sendable, Hashable {
    /// The desktop's default keyring, which is permanent.
    case `default`
    /// A keyring in memory, which is deleted when the user logs out.
    case session
}
