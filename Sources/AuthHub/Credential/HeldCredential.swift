import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored credential in use: made once, read by every request, and so handed round by reference.
final class HeldCredential: Sendable {
    /// How the session came to it: what follows from a refusal depends on what was tried before.
    enum Source: Sendable, Hashable {
        /// It stood in the store. The session has not asked for it.
        case store
        case refresh
        case signIn
    }

    let credential: Credential
    let version: CredentialVersion
    /// Counts the credentials of a session, so that a refusal can be told to be about an earlier one.
    let generation: UInt64
    /// The session's epoch: after a sign-out, nothing of an earlier one is of any use.
    let epoch: UInt64
    let source: Source

    init(credential: Credential, version: CredentialVersion, generation: UInt64, epoch: UInt64 = 0, source: Source = .store) {
        self.credential = credential
        self.version = version
        self.generation = generation
        self.epoch = epoch
        self.source = source
    }

    /// Whether it can be used for so many seconds without being renewed first.
    func isFresh(at now: Date, for minimumLifetime: Double = 0) -> Bool {
        credential.lifetime?.isFresh(at: now, for: minimumLifetime) ?? true
    }
}
