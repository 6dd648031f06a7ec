import AuthHubPrimitives

/// The identifier of an API that a token is requested for (RFC 8707 §2): an absolute URI without a fragment.
public struct ResourceIndicator: Sendable {
    /// The URI, exactly as passed to the initializer.
    public let text: String

    private static let lengthLimit = 2048

    /// Creates a resource indicator from a URI.
    ///
    /// - Returns: nil if the string is not an absolute URI of visible ASCII characters, has a fragment, or is longer than 2,048 characters.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, isAbsoluteURI(text), !text.utf8.contains(UInt8(ascii: "#")) else { return nil }
        self.text = text
    }
}

extension ResourceIndicator: Hashable {
    /// Compares the URIs byte by byte, without normalizing them.
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
