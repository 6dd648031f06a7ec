public import AuthHubPrimitives

/// The purpose of a passphrase prompt.
public enum PassphrasePurpose: Sendable, Hashable {
    /// To decrypt something that was encrypted with it. Attempts count from 1; each further attempt follows a wrong passphrase.
    case open(attempt: Int)
    /// To encrypt with a new passphrase. A user should enter it twice.
    case choose
}

/// Gets a passphrase, as bytes, from the user, a file or a descriptor, and returns when it is available.
///
/// Blocks the calling thread, and must end on its own. The bytes are used as they are: a prompt that reads them from a file must remove the
/// end of the line.
///
/// - Throws: ``CredentialStoreError`` with `.dismissed` if the user declines, with `.locked` if there is no one to ask.
public typealias PassphrasePrompt = @Sendable (PassphrasePurpose) throws(CredentialStoreError) -> Secret<[UInt8]>

enum Passphrase {
    /// The largest accepted length, in bytes.
    static let longest = 4_096

    static func check(_ passphrase: Secret<[UInt8]>) throws(CredentialStoreError) {
        let length = passphrase.reveal().count
        guard length > 0 else { throw CredentialStoreError(.refused, "The passphrase is empty. Give one.") }
        guard length <= longest else {
            throw CredentialStoreError(.refused, "The passphrase has \(length) bytes; \(longest) are taken at most. Give a shorter one.")
        }
    }
}
