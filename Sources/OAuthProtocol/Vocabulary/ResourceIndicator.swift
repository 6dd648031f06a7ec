package import AuthHubPrimitives

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

extension ResourceIndicator {
    /// The origin of the resource; nil if it is not an http or https URL.
    package var origin: Origin? { Origin(url: text) }

    /// Whether a URL belongs to the resource: its own, or one below it.
    ///
    /// A URL that servers might read as one outside, because its path has dot segments in any spelling, does not belong to it.
    package func contains(_ origin: Origin, path: String) -> Bool {
        guard let own = RequestTarget(text), origin == self.origin, !path.prefix(while: { $0 != "?" }).mayLeadElsewhere else {
            return false
        }
        let requested = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        var base = Array(own.path.utf8.prefix { $0 != UInt8(ascii: "?") })
        if base.last == UInt8(ascii: "/") { base.removeLast() }
        guard requested.starts(with: base) else { return false }
        let rest = requested.dropFirst(base.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}

extension StringProtocol {
    /// Whether a server might read dot segments from the path (RFC 3986 §5.2.4), some only after decoding a slash or a backslash.
    fileprivate var mayLeadElsewhere: Bool {
        let path = lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").replacing("%5c", with: "/").replacing(
            "\\", with: "/")
        return path.split(separator: "/").contains { $0 == "." || $0 == ".." || $0.hasPrefix("..;") }
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
