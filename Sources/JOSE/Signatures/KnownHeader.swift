import AuthHubPrimitives

/// The header of the first token that a key set has verified. Most tokens of a server have the same header, which is then not parsed again.
final class KnownHeader: Sendable {
    let header: JSONWebSignature.Header
    private let text: [UInt8]

    /// - Parameter text: The header in base64url.
    init(_ header: JSONWebSignature.Header, text: [UInt8]) {
        self.header = header
        self.text = text
    }

    func isEncoded(as other: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { text in other.withUnsafeBufferPointer { text.hasSameBytes(as: $0) } }
    }
}

extension JSONWebKeySet {
    /// The header of a token that one of the keys has verified; nil if there is none yet.
    var knownHeader: KnownHeader? { memory.object as? KnownHeader }
}
