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
    package func contains(_ origin: Origin, path: String) -> Bool { ResourcePlace(self)?.contains(origin, path: path) ?? false }

    /// Whether a URL belongs to the resource: its own, or one below it.
    package func contains(_ url: String) -> Bool {
        guard let origin = Origin(url: url), let path = RequestTarget(url)?.path else { return false }
        return contains(origin, path: path)
    }
}

/// The part of an origin that belongs to a resource, prepared for many comparisons.
package struct ResourcePlace: Sendable {
    private let origin: Origin
    /// The path without the query and a slash at its end.
    private let path: [UInt8]

    /// - Returns: nil if the resource is not an http or https URL.
    package init?(_ resource: ResourceIndicator) {
        guard let target = RequestTarget(resource.text), let origin = resource.origin else { return nil }
        self.origin = origin
        var path = Array(target.path.utf8.prefix { $0 != UInt8(ascii: "?") })
        if path.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    /// Whether a URL belongs to the resource.
    ///
    /// A URL that servers might read as one outside, because its path has dot segments in any spelling, does not belong to it.
    package func contains(_ origin: Origin, path requested: String) -> Bool {
        let bytes = requested.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard origin == self.origin, bytes.starts(with: path) else { return false }
        let rest = bytes.dropFirst(path.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return false }
        return !Substring(bytes).hasDotSegment
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
