import AuthHubPrimitives

extension ProviderProfile {
    /// Returns the provider at another origin: every URL keeps its path and query.
    ///
    /// For servers that play the provider, such as the development server. The name and all quirks stay.
    ///
    /// - Parameters:
    ///   - base: Scheme, host and port, without a slash at the end: `http://127.0.0.1:8080`.
    ///   - api: The same for the URLs that receive an access token; nil means `base`.
    package func rebased(onto base: String, api: String? = nil, transport: TransportPolicy = .httpsOnly) -> Self {
        func moved(_ url: String) -> String { url.moved(onto: base) }
        var profile = self
        profile.transport = transport
        profile.issuer = issuer.map { _ in base }
        profile.responseIssuer = responseIssuer.map(moved)
        profile.quirks.discovery.issuerTemplate = quirks.discovery.issuerTemplate.map { $0.template(movedOnto: base) }
        profile.quirks.identity.otherIssuers = quirks.identity.otherIssuers.map { $0.template(movedOnto: base) }
        if var endpoints {
            for name in Endpoints.Name.allCases { endpoints[name] = endpoints[name].map(moved) }
            profile.endpoints = endpoints
        }
        if !quirks.git.origins.isEmpty { profile.quirks.git.origins = Origin(url: base).map { [$0] } ?? [] }
        let pinPage = \ProviderProfile.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState
        profile[keyPath: pinPage] = profile[keyPath: pinPage].map(moved)
        return profile.withAPI(at: api ?? base)
    }

    /// Returns the provider with its API at another origin: the URLs that receive an access token keep their paths and queries.
    ///
    /// - Parameter api: The URL that replaces the origin, without a slash at the end; nil changes nothing.
    func withAPI(at api: String?) -> Self {
        guard let api else { return self }
        var profile = self
        profile.accountEndpoint = accountEndpoint?.moved(onto: api)
        profile.baseURL = baseURL?.moved(onto: api)
        profile.resourceOrigins = Origin(url: api).map { [$0] } ?? []
        switch revocation {
        case .none, .standard: break
        case .gitHub(let applications): profile.revocation = .gitHub(applications: applications.moved(onto: api))
        case .authorizedByToken(let method, let address):
            profile.revocation = .authorizedByToken(method: method, url: address.moved(onto: api))
        }
        return profile
    }
}

extension String {
    /// The same for a URL with a part in braces.
    fileprivate func template(movedOnto base: String) -> String {
        let parts = split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "\(base)/\(parts[3])" : self
    }

    fileprivate func moved(onto base: String) -> String { RequestTarget(self).map { base + $0.path } ?? self }
}
