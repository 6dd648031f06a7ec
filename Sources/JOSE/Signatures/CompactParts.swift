import AuthHubPrimitives

/// The decoded parts of a signed token in the compact serialization (RFC 7515 §7.1).
struct CompactParts: Sendable {
    let header: JSONWebSignature.Header
    let payload: [UInt8]
    let signature: [UInt8]
    private let text: [UInt8]
    private let headerLength: Int
    private let signedLength: Int

    static let largestSize = 64 * 1024
    static let largestHeaderSize = 8 * 1024

    /// The bytes that are signed: the encoded header and payload.
    var signed: ArraySlice<UInt8> { text[..<signedLength] }

    /// The encoded header.
    var encodedHeader: ArraySlice<UInt8> { text[..<headerLength] }

    /// Decodes a token.
    ///
    /// - Parameter known: A header that is not parsed again.
    init(_ string: String, known: KnownHeader?) throws(JOSEError) {
        guard string.utf8.count <= Self.largestSize else {
            throw JOSEError(.malformed, "the token is larger than \(Self.largestSize / 1024) KiB")
        }
        text = Array(string.utf8)
        let dots = text.withUnsafeBufferPointer { text in
            text.firstIndex(of: UInt8(ascii: "."), from: 0).map { ($0, text.firstIndex(of: UInt8(ascii: "."), from: $0 + 1)) }
        }
        guard let (first, second) = dots, let last = second else { throw Self.wrongPartCount }
        guard first <= Self.largestHeaderSize else {
            throw JOSEError(.malformed, "the header is larger than \(Self.largestHeaderSize / 1024) KiB")
        }
        // An empty signature is that of an unsigned token (RFC 7515 appendix A.5).
        guard first > 0 else { throw JOSEError(.malformed, "the header of the token is empty") }
        guard last + 1 < text.count else { throw JOSEError(.malformed, "the token is not signed") }
        let encodedHeader = text[..<first]
        let isKnown = known?.isEncoded(as: encodedHeader) ?? false
        let headerBytes = isKnown ? [] : try Self.decode(encodedHeader)
        payload = try Self.decode(text[(first + 1)..<last])
        signature = try Self.decode(text[(last + 1)...])
        header = if isKnown, let known { known.header } else { try JSONWebSignature.Header(headerBytes) }
        (headerLength, signedLength) = (first, last)
    }

    private static func decode(_ part: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
        if let bytes = part.withUnsafeBufferPointer(Base64URL.decode(ascii:)) { return bytes }
        // Base64url has no dots, so that a fourth part is found here.
        throw part.contains(UInt8(ascii: ".")) ? wrongPartCount : JOSEError(.malformed, "a part of the token is not base64url")
    }

    private static let wrongPartCount = JOSEError(.malformed, "the token does not have three parts")
}
