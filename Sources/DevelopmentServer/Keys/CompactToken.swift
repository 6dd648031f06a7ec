import AuthHubPrimitives

/// A signed JSON Web Token in its compact form (RFC 7515 §7.1).
struct CompactToken: Sendable {
    let header: JSONObject
    let claims: JSONObject
    let signature: [UInt8]
    /// The bytes that are signed: the first two parts.
    let signed: [UInt8]

    /// Creates a token from its text; nil if the text is not the compact form of a signed token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONValue(strict: $0).object }
    }
}
