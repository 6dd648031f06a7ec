import CredentialStorage
import Platform

/// A stored credential in use. It is created once, read by every request, and therefore passed by reference.
final class HeldCredential: Sendable {
    /// How the session obtained the credential. It decides what the session tries next if a server rejects the token.
    enum Source: Sendable, Hashable {
        /// It was read from the store. The session did not request it.
        case store
        case refresh
        case signIn
    }

    let credential: Credential
    let version: CredentialVersion
    /// A number that increases with each credential of a session. It shows whether a rejection is about an earlier one.
    let generation: UInt64
    /// The session's epoch. After a sign-out, nothing from an earlier epoch may be used.
    let epoch: UInt64
    let source: Source

    init(credential: Credential, version: CredentialVersion, generation: UInt64, epoch: UInt64 = 0, source: Source = .store) {
        self.credential = credential
        self.version = version
        self.generation = generation
        self.epoch = epoch
        self.source = source
    }

    /// Whether the token can be used for this many seconds without being refreshed first.
    func isFresh(at now: Date, for minimumLifetime: Double = 0) -> Bool {
        credential.lifetime?.isFresh(at: now, for: minimumLifetime) ?? true
    }
}
