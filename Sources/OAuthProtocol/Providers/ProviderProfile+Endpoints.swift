extension ProviderProfile {
    /// Returns the URL of an endpoint that a message needs. It is checked when it is used, so a server may lack other endpoints.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` that names the endpoint if its URL is unknown or must not be used: it must be
    ///   absolute, https unless the profile's policy allows loopback, and without user information and fragment (RFC 6749 §3.1, §3.2).
    package func url(of name: Endpoints.Name) throws(OAuthError) -> String {
        guard let endpoints else { throw OAuthError(.configuration, "the endpoints of \(displayName) are not known yet") }
        guard let url = endpoints[name] else {
            let why = metadata?.diagnostics.first { $0.member == name.rawValue }.map { ": \($0)" } ?? ""
            throw OAuthError(
                .configuration, "\(displayName) has no usable \(name.rawValue)\(why)", underlying: UnusableServer(lacksEndpoint: true))
        }
        guard transport.allows(url) else {
            throw OAuthError(
                .configuration, "the \(name.rawValue) of \(displayName) must be an https URL without user information or fragment")
        }
        return url
    }
}
