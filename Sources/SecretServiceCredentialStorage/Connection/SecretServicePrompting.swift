import CredentialStorage

/// Whether a person may be asked for the password of the keyring, and how long to wait for them.
public struct SecretServicePrompting: Sendable, Hashable {
    /// Nil: nobody is asked.
    let timeout: Duration?
    package let makesCollection: Bool

    /// Nobody is asked. A locked keyring is an error (`.locked`), and so is none (`.unavailable`).
    public static let never = Self(timeout: nil, makesCollection: false)

    /// The person is asked to unlock a locked keyring.
    ///
    /// - Parameters:
    ///   - timeout: How long an answer is waited for, at most. The prompt is taken away then, and with the task.
    ///   - makingKeyring: Whether a keyring is made where there is none: the person chooses its password.
    public static func allowed(waitingAtMost timeout: Duration, makingKeyring: Bool = false) -> Self {
        Self(timeout: timeout, makesCollection: makingKeyring)
    }
}

/// Which keyring of the Secret Service.
public enum SecretServiceCollection: Sendable, Hashable {
    /// The one that the desktop takes for its default; it outlives the session.
    case `default`
    /// One in memory, which is gone when the person logs out.
    case session
}
