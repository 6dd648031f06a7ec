public import AuthHubPrimitives

/// The purpose of asking for a passphrase.
public enum PassphrasePurpose: Sendable, Hashable {
    /// Decrypting with an existing passphrase. Attempts count from 1; each further attempt follows a wrong passphrase.
    case open(attempt: Int)
    /// Encrypting with a new passphrase. Ask the user to enter it twice.
    case choose
}

/// Returns a passphrase, as bytes, from the user, a file or a descriptor.
///
/// Blocks the calling thread, and must return on its own. The bytes are used unchanged: remove the end of the line if you read them from a
/// file.
///
/// - Throws: ``CredentialStoreError`` with `.dismissed` if the user declines, with `.locked` if there is no one to ask.
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
