import AuthHubPrimitives

/// Which addresses may be used.
public enum TransportPolicy: Sendable, Hashable {
    case httpsOnly
    /// For development: http is taken where the host is this machine.
    case insecureHTTPOnLoopbackForDevelopment

    /// Whether an endpoint may be used: absolute, without user information or fragment, https unless excepted.
    public func allows(_ url: String) -> Bool {
        guard !url.utf8.contains(UInt8(ascii: "#")), let origin = Origin(url: url) else { return false }
        return origin.scheme == "https" || (self == .insecureHTTPOnLoopbackForDevelopment && origin.isLoopback)
    }
}
