import AuthHubPrimitives

/// Which URLs may be used.
public enum TransportPolicy: Sendable, Hashable {
    case httpsOnly
    /// For development: http is also accepted if the host is this machine.
    case insecureHTTPOnLoopbackForDevelopment

    /// Whether a URL may be used: absolute, without user information or fragment, and https unless the policy allows loopback.
    package func allows(_ url: String) -> Bool {
        guard !url.utf8.contains(UInt8(ascii: "#")), let origin = Origin(url: url) else { return false }
        return origin.scheme == "https" || (self == .insecureHTTPOnLoopbackForDevelopment && origin.isLoopback)
    }
}
