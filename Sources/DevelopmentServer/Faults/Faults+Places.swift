extension Faults.Place {
    /// Creates the place of a request; nil if it has no faults.
    init?(of request: IncomingRequest, to persona: Persona) {
        switch request.path {
        case persona.addresses.token: self = .tokenEndpoint
        case persona.addresses.authorization, "/session", "/consent": self = .authorization
        case persona.device?.authorizationPath: self = .deviceAuthorization
        case "/user", "/user/repos", "/api/v3/user", "/api/v3/user/repos", "/userinfo", "/graphql": self = .api
        case "/revoke": self = .revocation
        case "/introspect": self = .introspection
        case "/par": self = .pushedAuthorization
        case let path where path == "/register" || path.hasPrefix("/register/"): self = .registration
        case let path where path.hasPrefix("/.well-known/"): self = .metadata
        default: return nil
        }
    }
}
