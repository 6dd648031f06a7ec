/// Whether the user may be asked for the password of the keyring, and how long to wait for them.
public struct SecretServicePrompting: Sendable, Hashable {
    /// The longest wait; if nil, the user is not asked.
    let timeout: Duration?
    let makesCollection: Bool

    /// The user is not asked. A locked keyring is an error (`.locked`), and so is a missing one (`.unavailable`).
    public static let never = Self(timeout: nil, makesCollection: false)

    /// Allows asking the user to unlock a locked keyring.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for the user. The prompt is closed after it, or when the task is cancelled.
    ///   - makingKeyring: Whether to create a missing keyring; the user chooses its password.
    public static func allowed(waitingAtMost timeout: Duration, makingKeyring: Bool = false) -> Self {
        Self(timeout: timeout, makesCollection: makingKeyring)
    }
}

/// A keyring of the Secret Service.
public enum SecretServiceCollection: Sendable, Hashable {
    /// The desktop's default keyring, which is persistent.
    case `default`
    /// A keyring in memory, which is lost when the user logs out.
    case session
}
