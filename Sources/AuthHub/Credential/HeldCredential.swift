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
    let refreshAt: Date?
    let authorization: String

    init(credential: Credential, version: CredentialVersion, generation: UInt64) {
        self.credential = credential
        self.version = version
        self.generation = generation
        refreshAt = credential.refreshAt
        authorization = credential.authorization
    }

    func isFresh(at now: Date) -> Bool {
        refreshAt.map { now < $0 } ?? true
    }
}
