import AuthHubPrimitives

/// The rules for redirect URIs.
enum RedirectURI {
    /// Returns whether a redirect URI in a request is registered: the same string, except that a loopback address may have any port (RFC
    /// 8252 §7.3, RFC 9700 §4.1.3).
    static func matches(_ requested: String, registered: [String]) -> Bool {
        registered.contains(requested) || registered.contains { isSameLoopbackAddress(requested, $0) }
    }

    /// Returns the URI with the parameters of a response added to its query, or as its fragment.
    static func adding(_ parameters: FormParameters, to uri: String, mode: ResponseMode) -> String {
        switch mode {
        case .query, .formPost: uri + (uri.contains("?") ? "&" : "?") + parameters.encoded(spaces: .percent)
        case .fragment: uri + "#" + parameters.encoded(spaces: .percent)
        }
    }

    /// Returns the source of a form's target for a content security policy. Custom schemes and IPv6 addresses have no host source.
    static func policySource(of uri: String) -> String? {
        if let origin = Origin(url: uri) {
            return origin.host.hasPrefix("[") ? origin.scheme + ":" : origin.description
        }
        let scheme = uri.prefix { $0 != ":" }
        guard scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }) else { return nil }
        return scheme + ":"
    }

    private static func isSameLoopbackAddress(_ requested: String, _ registered: String) -> Bool {
        guard !requested.contains("#"), let left = Origin(url: requested), let right = Origin(url: registered) else { return false }
        return left.isLoopback && left.scheme == "http" && right.scheme == "http" && left.host == right.host
            && RequestTarget(requested)?.path == RequestTarget(registered)?.path
    }
}
