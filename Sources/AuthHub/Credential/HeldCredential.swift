import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored credential in use: made once, read by every request, and so handed round by reference.
final class HeldCredential: Sendable {
    let credential: Credential
    let version: CredentialVersion
    /// Counts the credentials of a session, so that a refusal can be told to be about an earlier one.
    let generation: UInt64

    init(credential: Credential, version: CredentialVersion, generation: UInt64) {
        self.credential = credential
        self.version = version
        self.generation = generation
    }

    /// Whether it can be used for so many seconds without being renewed first.
    func isFresh(at now: Date, for minimumLifetime: Double = 0) -> Bool {
        credential.lifetime?.isFresh(at: now, for: minimumLifetime) ?? true
    }
}
