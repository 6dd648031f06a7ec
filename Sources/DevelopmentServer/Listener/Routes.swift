import AuthHubPrimitives
import HTTPTypes

/// The mapping of requests to endpoints.
struct Routes: Sendable {
    struct Route: Sendable {
        /// The path; `*` matches any single segment.
        let path: String
        let methods: [HTTPRequest.Method]
        let answer: @Sendable (IncomingRequest) -> Answer
    }

    private let routes: [Route]

    init(_ state: ServerState) {
        let authorization = AuthorizationEndpoint(state: state)
        let resources = ResourceEndpoints(state: state)
        var routes = [
            Route(path: "/session", methods: [.post], answer: authorization.signIn),
            Route(path: "/consent", methods: [.post], answer: authorization.decide),
            Route(path: state.persona.addresses.authorization, methods: [.get, .post], answer: authorization.begin),
            Route(path: state.persona.addresses.token, methods: [.post], answer: TokenEndpoint(state: state).respond),
            Route(path: "/user", methods: [.get], answer: resources.user),
            Route(path: "/user/repos", methods: [.get], answer: resources.repositories),
            Route(path: "/avatars/*", methods: [.get], answer: resources.avatar),
        ]
        if state.persona.api.isGitHub { routes += Self.enterprise(at: state) }
        routes += Self.revocation(at: state) + Self.logout(at: state)
        if let path = state.persona.addresses.account {
            let answer = state.persona.api.accountReturnsClaims ? UserInfoEndpoint(state: state).respond : resources.user
            routes.append(Route(path: path, methods: [.get, .post], answer: answer))
        }
        if let path = state.persona.addresses.keys {
            routes.append(Route(path: path, methods: [.get]) { _ in .json(state.keySet) })
        }
        if let path = state.persona.addresses.userInfo {
            routes.append(Route(path: path, methods: [.get, .post], answer: UserInfoEndpoint(state: state).respond))
        }
        routes += Self.device(at: state)
        routes += Self.aniList(at: state)
        if state.persona.isOpenIDProvider { routes += Self.openID(at: state) + Self.messages(at: state) }
        self.routes = routes
    }
}

extension Routes {
    /// Returns the same API with the paths of GitHub Enterprise Server, so that the server's URL is sufficient to find both.
    private static func enterprise(at state: ServerState) -> [Route] {
        let resources = ResourceEndpoints(state: state), applications = GitHubApplicationEndpoint(state: state)
        return [
            Route(path: "/api/v3/user", methods: [.get], answer: resources.user),
            Route(path: "/api/v3/user/repos", methods: [.get], answer: resources.repositories),
            Route(path: "/api/v3/applications/*/token", methods: [.delete], answer: applications.revokeToken),
            Route(path: "/api/v3/applications/*/grant", methods: [.delete], answer: applications.revokeGrant),
        ]
    }

    private static func revocation(at state: ServerState) -> [Route] {
        switch state.persona.revocation {
        case .none: return []
        case .standard(let path): return [Route(path: path, methods: [.post], answer: RevocationEndpoint(state: state).respond)]
        case .gitHubApplications(let base):
            let applications = GitHubApplicationEndpoint(state: state)
            return [
                Route(path: base + "/applications/*/token", methods: [.delete], answer: applications.revokeToken),
                Route(path: base + "/applications/*/grant", methods: [.delete], answer: applications.revokeGrant),
            ]
        case .ownToken(let method, let path):
            guard let method = HTTPRequest.Method(method) else { return [] }
            return [Route(path: path, methods: [method], answer: RevocationEndpoint(state: state).respondToToken)]
        }
    }

    private static func openID(at state: ServerState) -> [Route] {
        let metadata = { @Sendable (_: IncomingRequest) in state.metadata.map { .json($0) } ?? Answer.notFound() }
        return [
            Route(path: "/.well-known/openid-configuration", methods: [.get], answer: metadata),
            Route(path: "/.well-known/oauth-authorization-server", methods: [.get], answer: metadata),
            Route(path: ClaimsProvider.path + "/.well-known/openid-configuration", methods: [.get]) { _ in
                .json(ClaimsProvider(state: state).metadata)
            },
            Route(path: ClaimsProvider.path + "/jwks", methods: [.get]) { _ in .json(ClaimsProvider(state: state).keySet) },
            Route(path: ClaimsProvider.path + "/claims", methods: [.get], answer: ClaimsProvider(state: state).respond),
            Route(path: "/.well-known/webfinger", methods: [.get], answer: WebFingerEndpoint(state: state).respond),
            Route(path: "/initiate-login", methods: [.get], answer: LoginInitiationEndpoint(state: state).respond),
            Route(path: "/.well-known/oauth-protected-resource", methods: [.get]) { _ in .json(state.resourceMetadata) },
            Route(path: ServerState.modelContextMetadataPath, methods: [.get]) { _ in .json(state.modelContextMetadata) },
            Route(path: ServerState.ownResourceMetadataPath, methods: [.get]) { _ in .json(state.modelContextMetadata) },
            Route(path: ModelContextEndpoint.path, methods: [.get, .post, .delete], answer: ModelContextEndpoint(state: state).respond),
            Route(path: "/jwks", methods: [.get]) { _ in .json(state.keySet) },
            Route(path: "/userinfo", methods: [.get, .post], answer: UserInfoEndpoint(state: state).respond),
        ]
    }

    /// Returns the routes of the sign-out page. Every persona has one; only the standardized one is in the metadata.
    private static func logout(at state: ServerState) -> [Route] {
        let endSession = EndSessionEndpoint(state: state)
        return [
            Route(path: "/logout", methods: [.get, .post], answer: endSession.begin),
            Route(path: "/logout/confirm", methods: [.post], answer: endSession.confirm),
        ]
    }

    func answer(_ request: IncomingRequest) -> Answer {
        guard Self.isMeantForThisMachine(request) else {
            return .json(["message": "This server only responds to requests from this machine."], status: .misdirectedRequest)
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard let route = routes.first(where: { Self.matches($0.path, parts) }) else { return .notFound() }
        let method = request.method == .head ? .get : request.method
        guard route.methods.contains(method) else { return .methodNotAllowed(allowed: route.methods) }
        return route.answer(request)
    }

    /// Returns whether the request is for this machine: a web page whose name was pointed at 127.0.0.1 must not reach the server (DNS
    /// rebinding).
    private static func isMeantForThisMachine(_ request: IncomingRequest) -> Bool {
        request.authority.flatMap { Origin(scheme: "http", authority: $0) }?.isLoopback ?? false
    }

    private static func matches(_ pattern: String, _ parts: [Substring]) -> Bool {
        let expected = pattern.split(separator: "/", omittingEmptySubsequences: false)
        return expected.count == parts.count && zip(expected, parts).allSatisfy { $0 == $1 || ($0 == "*" && !$1.isEmpty) }
    }
}
