public import AuthHubPrimitives

/// What a passphrase is asked for.
public enum PassphrasePurpose: Sendable, Hashable {
    /// To open what was sealed with it. Attempts count from 1; each further one follows a wrong passphrase.
    case open(attempt: Int)
    /// To seal with a new one. A person had better type it twice.
    case choose
}

/// Gets a passphrase, as bytes, from a person, a file or a descriptor. Returns when the answer is there.
///
/// Blocks the calling thread, and has to come to an end by itself. Texts are taken byte for byte: those who read them from a file cut off
/// the end of the line.
///
/// - Throws: ``CredentialStoreError`` with `.dismissed` where the person declines, with `.locked` where there is nobody to ask.
public typealias PassphrasePrompt = @Sendable (PassphrasePurpose) throws(CredentialStoreError) -> Secret<[UInt8]>

enum Passphrase {
    /// In bytes.
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
