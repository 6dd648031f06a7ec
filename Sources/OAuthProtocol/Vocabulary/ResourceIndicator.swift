import AuthHubPrimitives

/// The API that a token is for (RFC 8707 §2): an absolute URI without a fragment.
public struct ResourceIndicator: Sendable {
    /// The URI as given to the initializer.
    public let text: String

    private static let lengthLimit = 2048

    /// - Returns: nil if the string is not an absolute URI in visible ASCII, has a fragment, or has more than 2048 characters.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, isAbsoluteURI(text), !text.utf8.contains(UInt8(ascii: "#")) else { return nil }
        self.text = text
    }
}

extension ResourceIndicator: Hashable {
    /// Compares byte for byte.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ResourceIndicator: CustomStringConvertible {
    public var description: String { text }
}

extension FormParameters {
    /// Appends `resource`, once for each resource (RFC 8707 §2), and `authorization_details` (RFC 9396 §2).
    mutating func append(resources: [ResourceIndicator], details: AuthorizationDetails? = nil) {
        for resource in resources { append("resource", resource.text) }
        if let details, !details.isEmpty { append("authorization_details", details.text) }
    }
}
