import AuthHubPrimitives

extension Faults.Place {
    /// Returns the places of a request, the most specific first; empty if it has no faults.
    static func all(of request: IncomingRequest, to state: ServerState) -> [Self] {
        let persona = state.persona
        switch request.path {
        case persona.addresses.token:
            let parameters = state.parameters(of: request, encodedAs: persona.tokenRequests.encodings)
            return parameters?["grant_type"] == "refresh_token" ? [.refresh, .tokenEndpoint] : [.tokenEndpoint]
        case persona.addresses.authorization, "/session", "/consent": return [.authorization]
        case persona.device?.authorizationPath: return [.deviceAuthorization]
        case "/userinfo", persona.addresses.userInfo: return [.userInfo, .api]
        case "/user", "/user/repos", "/api/v3/user", "/api/v3/user/repos", "/graphql": return [.api]
        case "/logout", "/logout/confirm": return [.endSession]
        case ClaimsProvider.path + "/claims": return [.claimsEndpoint]
        case "/.well-known/webfinger": return [.webFinger]
        case "/initiate-login": return [.loginInitiation]
        case "/jwks", persona.addresses.keys: return [.keySet]
        case "/revoke": return [.revocation]
        case "/introspect": return [.introspection]
        case "/par": return [.pushedAuthorization]
        case let path where path == "/register" || path.hasPrefix("/register/"): return [.registration]
        case ModelContextEndpoint.path: return [.resource]
        case ServerState.modelContextMetadataPath: return [.resourceMetadata, .metadata]
        case let path where path.hasPrefix("/.well-known/"): return [.metadata]
        default: return []
        }
    }
}
