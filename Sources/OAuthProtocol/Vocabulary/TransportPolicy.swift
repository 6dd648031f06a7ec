import AuthHubPrimitives

/// The policy for the URLs that may be used.
public enum TransportPolicy: Sendable, Hashable {
    /// Only https URLs are accepted.
    case httpsOnly
    /// For development: http URLs are also accepted if their host is this machine.
    case insecureHTTPOnLoopbackForDevelopment

    /// Whether a URL may be used: absolute, without user information or fragment, and https unless the policy allows loopback.
    package func allows(_ url: String) -> Bool {
        guard !url.utf8.contains(UInt8(ascii: "#")), let origin = Origin(url: url) else { return false }
        return origin.scheme == "https" || (self == .insecureHTTPOnLoopbackForDevelopment && origin.isLoopback)
    }
}
