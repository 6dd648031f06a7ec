public import AuthHubPrimitives

/// The purpose for which a passphrase is requested.
public enum PassphrasePurpose: Sendable, Hashable {
    /// Decrypting with an existing passphrase. `attempt` is 1 at first, and increases by 1 after each wrong passphrase.
    case open(attempt: Int)
    /// Encrypting with a new passphrase. Ask the user to enter the passphrase twice.
    case choose
}

/// A closure that returns a passphrase, as bytes, from the user, a file or a file descriptor.
///
/// The closure may block the calling thread, but not forever, because the call cannot be cancelled. The bytes are used unchanged: if you
/// read them from a file, remove the line ending.
///
/// - Throws: ``CredentialStoreError`` with `.dismissed` if the user declines, or with `.locked` if there is no one to ask.
public typealias PassphrasePrompt = @Sendable (PassphrasePurpose) throws(CredentialStoreError) -> Secret<[UInt8]>

enum Passphrase {
    /// The largest accepted length, in bytes.
    static let longest = 4_096

    static func check(_ passphrase: Secret<[UInt8]>) throws(CredentialStoreError) {
        let length = passphrase.reveal().count
        guard length > 0 else { throw CredentialStoreError(.refused, "the passphrase is empty; enter one") }
        guard length <= longest else {
            throw CredentialStoreError(
                .refused, "the passphrase has \(length) bytes, but at most \(longest) are allowed; enter a shorter one")
        }
    }
}
