package import AuthHubPrimitives

/// The contents of a signed token for another server (RFC 7515 §7.1). Anyone could have written them.
package struct UnverifiedAssertion {
    let header: JSONObject
    let claims: JSONObject

    private static let largestDepth = 8

    /// - Returns: nil if the text is not a signed token.
    package init?(_ text: Secret<String>) {
        let parts = text.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, Base64URL.decode(parts[2]) != nil, let header = Self.object(parts[0]),
            let claims = Self.object(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims
    }

    /// The servers that the token is for (`aud`).
    package var audience: [String] {
        claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONValue(received: $0, maximumDepth: largestDepth).object }
    }
}
