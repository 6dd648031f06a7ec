public import AuthHubPrimitives

/// An encrypted token in compact serialization (RFC 7516), such as an encrypted ID token.
///
/// Encryption does not say who created a token: anyone who has the public key can. If the content is a signed token, verify it with
/// ``JSONWebSignature``; do not trust any other content.
public struct JSONWebEncryption: Sendable {
    /// The header, which anyone may have written.
    public let header: Header

    let parts: Secret<Parts>

    private static let largestSize = 64 * 1024
    private static let largestHeaderSize = 8 * 1024

    struct Parts: Sendable {
        /// The first part of the token, in ASCII, which the content's tag authenticates.
        let protectedHeader: [UInt8]
        let encryptedKey: [UInt8]
        let content: SealedContent
    }

    /// Parses a token.
    ///
    /// The token must have five parts in base64url without padding, and at most 64 KiB. Its header must be a JSON object without duplicate
    /// members and with at most 8 KiB. Tokens in JSON serialization, with compressed content (`zip`), with extensions (`crit`), and with
    /// algorithms that are not supported are rejected.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` or `.notAllowed`; with `.unusableKey` if the header's `epk` is not a point on its curve.
    public init(_ text: Secret<String>) throws(JOSEError) {
        let token = text.reveal()
        guard token.utf8.count <= Self.largestSize else { throw JOSEError(.malformed, "the encrypted token has more than 64 KiB") }
        let encoded = token.utf8.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard encoded.count == 5 else { throw JOSEError(.malformed, "the encrypted token does not have five parts") }
        guard encoded[0].count <= Self.largestHeaderSize else { throw JOSEError(.malformed, "the header has more than 8 KiB") }
        var decoded: [[UInt8]] = []
        for part in encoded {
            guard let bytes = Base64URL.decode(Substring(part)) else {
                throw JOSEError(.malformed, "a part of the encrypted token is not base64url without padding")
            }
            decoded.append(bytes)
        }
        header = try Header(decoded[0])
        let content = SealedContent(initializationVector: decoded[2], ciphertext: decoded[3], tag: decoded[4])
        guard header.parameters.hasEncryptedKey != decoded[1].isEmpty else {
            throw JOSEError(.malformed, "the encrypted key is missing, or the algorithm does not use one")
        }
        guard header.cipher.accepts(content) else {
            throw JOSEError(.malformed, "the initialization vector or the tag has the wrong length")
        }
        parts = Secret(Parts(protectedHeader: Array(encoded[0]), encryptedKey: decoded[1], content: content))
    }
}
