extension ProviderProfile {
    /// An address that a message needs: looked at when it is used, so that a server without it serves for everything else.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` where the address is unknown, or not one that may be used: absolute, https unless
    ///   the profile's policy excepts loopback, without user information and fragment (RFC 6749 §3.1, §3.2). The error names it.
    public func url(of name: Endpoints.Name) throws(OAuthError) -> String {
        guard let endpoints else { throw OAuthError(.configuration, "the endpoints of \(displayName) are not known yet") }
        guard let url = endpoints[name] else {
            let why = metadata?.diagnostics.first { $0.member == name.rawValue }.map { ": \($0)" } ?? ""
            throw OAuthError(.configuration, "\(displayName) has no usable \(name.rawValue)\(why)")
        }
        guard transport.allows(url) else {
            throw OAuthError(
                .configuration, "the \(name.rawValue) of \(displayName) is not an https URL without user information or fragment")
        }
        return url
    }
}
