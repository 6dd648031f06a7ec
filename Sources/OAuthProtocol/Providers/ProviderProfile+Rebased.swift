import AuthHubPrimitives

extension ProviderProfile {
    /// The same provider at another place: every address keeps its path and query, and moves to one origin.
    ///
    /// For doubles of a provider, such as a development server that has its habits. The name and all habits stay.
    ///
    /// - Parameter base: Scheme, host and port, without a slash at the end: `http://127.0.0.1:8080`.
    public func rebased(onto base: String, transport: TransportPolicy = .httpsOnly) -> Self {
        func moved(_ url: String) -> String { RequestTarget(url).map { base + $0.path } ?? url }
        var profile = self
        profile.transport = transport
        profile.issuer = issuer.map { _ in base }
        profile.responseIssuer = responseIssuer.map(moved)
        if var endpoints {
            for name in Endpoints.Name.allCases { endpoints[name] = endpoints[name].map(moved) }
            profile.endpoints = endpoints
        }
        profile.accountEndpoint = accountEndpoint.map(moved)
        let pinPage = \ProviderProfile.authorizationResponses.pinPageWhoseTextIsTakenWithoutState
        profile[keyPath: pinPage] = profile[keyPath: pinPage].map(moved)
        profile.resourceOrigins = Origin(url: base).map { [$0] } ?? []
        switch revocation {
        case .none, .standard: break
        case .gitHub(let applications): profile.revocation = .gitHub(applications: moved(applications))
        case .byTheTokenItself(let method, let address):
            profile.revocation = .byTheTokenItself(method: method, address: moved(address))
        }
        return profile
    }
}
