public import AuthHubPrimitives
import Synchronization

/// A client secret that the program replaces while sessions use it, such as a signed token that expires.
///
/// ```swift
/// let secret = RenewableClientSecret(try signedToken())
/// let client = OAuthClient(id: "com.example.app", renewableSecret: secret)
/// // Before the token expires:
/// secret.value = try signedToken()
/// ```
public final class RenewableClientSecret: Sendable {
    private let current: Mutex<Secret<String>>

    /// Creates a secret with its first value.
    public init(_ value: Secret<String>) {
        current = Mutex(value)
    }

    /// The current value. Every request uses the value at the time it is created.
    public var value: Secret<String> {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

extension RenewableClientSecret: Equatable {
    public static func == (left: RenewableClientSecret, right: RenewableClientSecret) -> Bool { left === right }
}
