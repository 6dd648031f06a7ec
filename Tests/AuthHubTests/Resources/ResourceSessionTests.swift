import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import HeadlessBrowsing
import OAuthProtocol
import Testing
import WebAuthentication

/// Sessions of which only the URL of an API is known, at the development server.
struct ResourceSessionTests {
    private static func session(
        at server: DevelopmentAuthorizationServer, issuer: String? = nil, store: MemoryCredentialStore = MemoryCredentialStore(),
        client: ResourceSession.Client = .registering(as: "Test"),
        grant: AuthorizationGrant = .authorizationCode(BrowserAuthenticator.octocat),
        prompting: SignInPrompting = .onDemand, label: String? = nil
    ) throws -> ResourceSession {
        var configuration = ResourceSession.Configuration(
            resource: server.issuer + "/mcp", client: client, grant: grant, store: store, dependencies: .network)
        (configuration.issuer, configuration.prompting) = (issuer, prompting)
        configuration.transport = .insecureHTTPOnLoopbackForDevelopment
        return try ResourceSession(configuration, label: label)
    }

    private static func registration(at server: DevelopmentAuthorizationServer) -> CredentialAccount {
        RegistrationKey(issuer: server.issuer, resource: server.issuer + "/mcp").account
    }

    private static func call(_ tool: String, at server: DevelopmentAuthorizationServer, path: String = "/mcp") throws -> LoadRequest {
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":{"text":"a"}}}"#
        return try .post(
            server.issuer + path, headers: [.contentType: "application/json", .accept: "application/json, text/event-stream"],
            body: .bytes(Array(message.utf8)))
    }

    private static func signIns(at server: DevelopmentAuthorizationServer) -> Int {
        server.log.tokenRequests(grant: "authorization_code")
    }

    @Test func `MC01, MC06, MC10: the first request finds the server, registers and signs in; later ones use the stored token`()
        async throws
    {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            let api = try Self.session(at: server, store: store)
            #expect(try await api.session == nil)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            // A program that starts again finds everything in its store.
            let again = try Self.session(at: server, store: store, prompting: .manual)
            #expect(try await again.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(server.log.entries.count { $0.path == "/register" } == 1)
            #expect(Self.signIns(at: server) == 1 && server.log.tokenRequests() == 1)
            #expect(server.log.entries.filter { $0.path == "/token" }.allSatisfy { $0.formNames.contains("resource") })

            #expect(try await again.signOut()?.isSignedOut == true)
            #expect(try await again.load(try Self.call("whoami", at: server)).status == .unauthorized, "it may not ask")
            try await again.signIn()
            #expect(try await again.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(server.log.entries.count { $0.path == "/register" } == 1, "the client stays registered")
        }
    }

    @Test func `MC06: requests and sessions that begin at the same time share one client and one page`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            let sessions = try (0..<2).map { _ in try Self.session(at: server, store: store) }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<8 {
                    group.addTask { try await sessions[index % 2].load(try Self.call("whoami", at: server)).status.code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 8))
            // They count as one sign-in, so that more scope can still be requested.
            for session in sessions {
                #expect(try await session.load(try Self.call("write_note", at: server)).status == .ok)
            }
            #expect(server.log.entries.count { $0.path == "/register" } == 1)
            #expect(server.log.tokenRequests(grant: "authorization_code") <= 3)
        }
    }

    @Test func `MC06: a session that may not ask uses the sign-in of another one, even if it was used before`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            let quiet = try Self.session(at: server, store: store, prompting: .manual)
            #expect(try await quiet.load(try Self.call("whoami", at: server)).status == .unauthorized)
            #expect(try await Self.session(at: server, store: store).load(try Self.call("whoami", at: server)).status == .ok)
            #expect(try await quiet.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(Self.signIns(at: server) == 1)
        }
    }

    @Test func `MC16: a session follows another one to another server`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            try await withDevelopmentServer(.init(persona: .modelContext)) { next in
                let store = MemoryCredentialStore()
                let api = try Self.session(at: server, store: store)
                let other = try Self.session(at: server, store: store, prompting: .manual)
                for session in [api, other] {
                    #expect(try await session.load(try Self.call("whoami", at: server)).status == .ok)
                }
                server.faults.always(
                    at: .resourceMetadata, .altered([.member("authorization_servers", [.string(next.issuer)])]))
                try await api.signIn()
                // The old tokens are revoked, and the resource does not accept the new ones.
                _ = try await other.load(try Self.call("whoami", at: server))
                #expect(try await other.session?.provider().issuer == next.issuer)
                #expect(Self.signIns(at: next) == 1)
            }
        }
    }

    @Test func `MC07: if another program uses the port of the redirect URI, another registered one is used`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            #expect(try await Self.session(at: server, store: store).load(try Self.call("whoami", at: server)).status == .ok)
            let record = try #require(try await store.read(Self.registration(at: server)))
            let redirectURIs =
                try ClientRegistration(serialized: record.payload).metadata.redirectURIs?.compactMap { RedirectURI($0) } ?? []
            #expect(redirectURIs.count == 4)
            let other = try await BrowserAuthenticator.octocat.prepare(CallbackMethod(try #require(redirectURIs.first)))
            try await Self.session(at: server, store: store).signIn()
            await other.close()
            #expect(Self.signIns(at: server) == 2)
        }
    }

    @Test func `MC13, MC14: more scope is requested once; a resource that keeps requiring it gets no further sign-in`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let api = try Self.session(at: server)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(try await api.load(try Self.call("write_note", at: server)).status == .ok)
            #expect(Self.signIns(at: server) == 2)
            guard case .signedIn(let facts)? = try await api.session?.state else {
                Issue.record("no one is signed in")
                return
            }
            #expect(facts.scope.names.sorted() == ["mcp", "mcp:write", "offline_access"])

            server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC14-endless" }))
            for _ in 0..<3 { #expect(try await api.load(try Self.call("whoami", at: server)).status == .forbidden) }
            #expect(Self.signIns(at: server) == 3)
        }
    }

    @Test func `MC16: a resource that names another issuer gets no sign-in by itself, and on request, one that shows nothing of the old`()
        async throws
    {
        try await withDevelopmentServer(.init(persona: .modelContext)) { old in
            try await withDevelopmentServer(.init(persona: .modelContext)) { new in
                let store = MemoryCredentialStore()
                let api = try Self.session(at: old, store: store)
                #expect(try await api.load(try Self.call("whoami", at: old)).status == .ok)
                old.faults.expireAllAccessTokens()
                old.faults.always(at: .refresh, .oauthError("invalid_grant"))
                old.faults.always(at: .resourceMetadata, .altered([.member("authorization_servers", [.string(new.issuer)])]))
                let failure = await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: old)) }
                #expect((failure?.underlying as? SessionError)?.code == .securityCheckFailed)
                #expect(new.log.entries.allSatisfy { $0.path.hasPrefix("/.well-known/") })

                try await api.signIn()
                #expect(new.log.entries.contains { $0.path == "/register" } && new.log.tokenRequests() == 1)
                #expect(try await api.session?.account.server == new.issuer)
            }
        }
    }

    @Test func `MC16: a client that was registered by hand is not shown to another issuer`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let client = ResourceSession.Client.registered(OAuthClient(id: "native-app"), at: "https://other.example")
            let api = try Self.session(at: server, client: client)
            let failure = await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: server)) }
            #expect(failure?.explanation?.contains("https://other.example") == true)
            #expect(!server.log.entries.contains { $0.path == "/authorize" || $0.path == "/register" })

            let own = ResourceSession.Client.registered(OAuthClient(id: "native-app"), at: server.issuer)
            #expect(try await Self.session(at: server, client: own).load(try Self.call("whoami", at: server)).status == .ok)
            #expect(!server.log.entries.contains { $0.path == "/register" })
        }
    }

    @Test func `MC19: a program without a user gets its token in the same way`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let webApp = OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app"))
            let api = try Self.session(
                at: server, client: .registered(webApp, at: server.issuer), grant: .clientCredentials, prompting: .manual)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(server.log.tokenRequests(grant: "client_credentials") == 1 && Self.signIns(at: server) == 0)
        }
    }

    @Test func `MC17: sends no token to another path, and does not sign in because of its challenge`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let api = try Self.session(at: server)
            #expect(try await api.load(.get(server.issuer + "/user")).status == .unauthorized)
            #expect(Self.signIns(at: server) == 0)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(try await api.load(.get(server.issuer + "/user")).status == .unauthorized)
            #expect(server.log.entries.filter { $0.path == "/user" }.allSatisfy { !$0.hasBearerToken })
        }
    }

    @Test(arguments: FaultPersona.resources.filter { !$0.isHarmless && $0.id != "MC14-endless" })
    func `a resource or server with this fault gets no token, and a request fails`(persona: FaultPersona) async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            server.faults.play(persona)
            let api = try Self.session(at: server)
            let failure = await #expect(throws: LoadError.self, "\(persona.id)") {
                _ = try await api.load(try Self.call("whoami", at: server))
            }
            #expect(failure?.code == .notAuthorized, "\(persona.id)")
            #expect(server.log.tokenRequests() == 0, "\(persona.id)")
        }
    }

    @Test(arguments: ["", "mcp", "http://api.example/mcp", "https://user@api.example/mcp", "https://api.example/mcp#a"])
    func `MC18: rejects a URL that is not https when the session is created`(url: String) {
        #expect(throws: SessionError.self) {
            _ = try ResourceSession(
                .init(
                    resource: url, client: .registering(as: "Test"), grant: .clientCredentials, store: MemoryCredentialStore(),
                    dependencies: .network))
        }
    }

    @Test(arguments: ["http://app.example/client", "https://app.example", "client"])
    func `rejects the URL of a client metadata document that no server would read`(url: String) {
        let error = #expect(throws: SessionError.self) {
            _ = try ResourceSession(
                .init(
                    resource: "https://api.example/mcp", client: .documented(at: url, name: "Test"), grant: .authorizationCode(.system),
                    store: MemoryCredentialStore(), dependencies: .network))
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("document") == true)
    }

    @Test func `MC14: a user who declines is not asked again at once`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let filling = FormFilling(user: "octocat", password: Secret("octocat-password"), refuses: true)
            let browser = BrowserAuthenticator(opener: HeadlessBrowser(filling: filling, transport: NetworkTransport.shared))
            let api = try Self.session(at: server, grant: .authorizationCode(browser))
            let failure = await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: server)) }
            #expect((failure?.underlying as? SessionError)?.code == .denied)
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .unauthorized)
            #expect(server.log.entries.count { $0.path == "/consent" } == 1)
        }
    }

    @Test func `MC14: a challenge whose text changes with each response leads to one page`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            for number in 0..<10 {
                let challenge = #"Bearer realm="\#(number)", error_description="attempt \#(number)", scope="mcp""#
                server.faults.next(at: .resource, .answer(status: 401, body: "", header: ["WWW-Authenticate": challenge]))
            }
            let api = try Self.session(at: server)
            for _ in 0..<3 { #expect(try await api.load(try Self.call("whoami", at: server)).status == .unauthorized) }
            #expect(Self.signIns(at: server) == 1)
        }
    }

    @Test func `MC14: after a sign-in that the server could not finish, the next request asks again`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            server.faults.next(at: .registration, .status(500))
            server.faults.next(at: .tokenEndpoint, .status(503))
            let api = try Self.session(at: server)
            for _ in 0..<2 {
                await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: server)) }
            }
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
        }
    }

    @Test func `MC07: a server that registers other redirect URIs than requested is rejected`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            server.faults.always(at: .registration, .altered([.member("redirect_uris", ["http://127.0.0.1:80/"])]))
            let api = try Self.session(at: server)
            let failure = await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: server)) }
            #expect((failure?.underlying as? SessionError)?.code == .serverMisbehaved)
            #expect(!server.log.entries.contains { $0.path == "/authorize" })
            #expect(server.log.entries.contains { $0.method == "DELETE" && $0.path.hasPrefix("/register/") }, "the client is deleted")
        }
    }

    @Test func `MC07: a registered client gets more scope instead of being replaced`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            #expect(try await Self.session(at: server, store: store).load(try Self.call("whoami", at: server)).status == .ok)
            // Another account, for which the resource requires a scope that the client was not registered for.
            server.faults.always(at: .resource, .answer(status: 401, body: "", header: ["WWW-Authenticate": #"Bearer scope="mcp:more""#]))
            let other = try Self.session(at: server, store: store, label: "other")
            try await other.signIn()
            #expect(server.log.entries.contains { $0.method == "PUT" && $0.path.hasPrefix("/register/") })
            #expect(server.log.entries.count { $0.path == "/register" } == 1)
            let record = try #require(try await store.read(Self.registration(at: server)))
            let scope = try ClientRegistration(serialized: record.payload).metadata.scope
            #expect(scope?.missing(from: ["mcp", "mcp:write", "mcp:more"]).isEmpty ?? false)
        }
    }

    @Test func `MC07: what a server changed is kept, even if the scope of the client is still too small`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            #expect(try await Self.session(at: server, store: store).load(try Self.call("whoami", at: server)).status == .ok)
            server.faults.always(at: .resource, .answer(status: 401, body: "", header: ["WWW-Authenticate": #"Bearer scope="mcp:more""#]))
            server.faults.always(at: .registration, .status(429))
            server.faults.next(at: .registration, .altered([.member("scope", "mcp"), .member("registration_access_token", "replaced")]))
            let other = try Self.session(at: server, store: store, label: "other")
            await #expect(throws: SessionError.self) { try await other.signIn() }
            let record = try #require(try await store.read(Self.registration(at: server)))
            #expect(try ClientRegistration(serialized: record.payload).secrets.contains(Secret("replaced")))
        }
    }

    @Test func `MC24: a resource that names the server of another API gets no token, unless the program names the issuer, too`()
        async throws
    {
        try await withDevelopmentServer(.init(persona: .modelContext)) { company in
            try await withDevelopmentServer(.init(persona: .modelContext)) { stranger in
                let store = MemoryCredentialStore()
                #expect(try await Self.session(at: company, store: store).load(try Self.call("whoami", at: company)).status == .ok)
                stranger.faults.always(at: .resourceMetadata, .altered([.member("authorization_servers", [.string(company.issuer)])]))
                let before = company.log.entries.count { $0.path == "/authorize" || $0.path == "/register" }
                let api = try Self.session(at: stranger, store: store)
                let failure = await #expect(throws: LoadError.self) { _ = try await api.load(try Self.call("whoami", at: stranger)) }
                let error = failure?.underlying as? SessionError
                #expect(
                    error?.code == .securityCheckFailed && error?.explanation.contains(company.issuer + "/mcp") == true, "\(failure as Any)"
                )
                await #expect(throws: SessionError.self) { try await api.signIn() }
                #expect(company.log.entries.count { $0.path == "/authorize" || $0.path == "/register" } == before)

                try await Self.session(at: stranger, issuer: company.issuer, store: store).signIn()
                #expect(company.log.entries.count { $0.path == "/register" } == 2, "each resource has a client of its own")
                let own = RegistrationKey(issuer: company.issuer, resource: stranger.issuer + "/mcp").account
                #expect(try await store.read(own) != nil)
                let other = try #require(try await store.read(Self.registration(at: company)))
                #expect(try ClientRegistration(serialized: other.payload).metadata.redirectURIs?.isEmpty == false)
            }
        }
    }

    @Test func `MC24: a server that lists the resource needs no confirmation`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { company in
            try await withDevelopmentServer(.init(persona: .modelContext)) { partner in
                let store = MemoryCredentialStore()
                let resources = [company, partner].map { JSONValue.string($0.issuer + "/mcp") }
                company.faults.always(at: .metadata, .altered([.member("protected_resources", .array(resources))]))
                try await Self.session(at: company, store: store).signIn()
                partner.faults.always(at: .resourceMetadata, .altered([.member("authorization_servers", [.string(company.issuer)])]))
                try await Self.session(at: partner, store: store).signIn()
                #expect(Self.signIns(at: company) == 2)
            }
        }
    }

    @Test(arguments: [Faults.Place.tokenEndpoint, .refresh])
    func `MC25: a registered client that the server no longer knows is replaced`(place: Faults.Place) async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let store = MemoryCredentialStore()
            let api = try Self.session(at: server, store: store)
            if place == .refresh {
                #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
                server.faults.expireAllAccessTokens()
            }
            server.faults.next(at: place, .oauthError("invalid_client"))
            #expect(try await api.load(try Self.call("whoami", at: server)).status == .ok)
            #expect(server.log.entries.count { $0.path == "/register" } == 2)
            // Everything goes on with the new client, in this session and in others.
            for session in [api, try Self.session(at: server, store: store, prompting: .manual)] {
                #expect(try await session.load(try Self.call("whoami", at: server)).status == .ok)
            }
            #expect(server.log.entries.count { $0.path == "/register" } == 2)
        }
    }

    @Test func `MC25: a server that never knows its clients gets two of them for each sign-in, and then the error is returned`()
        async throws
    {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            server.faults.always(at: .tokenEndpoint, .oauthError("invalid_client"))
            let api = try Self.session(at: server)
            await #expect(throws: SessionError.self) { try await api.signIn() }
            #expect(server.log.entries.count { $0.path == "/register" } == 2)
        }
    }

    @Test(arguments: [AuthorizationGrant.clientCredentials, .jwtBearer { Secret("a.b.c") }])
    func `MC19: a program without a user needs a client, which is an error before anything is sent`(grant: AuthorizationGrant) {
        #expect(throws: SessionError.self) {
            try ResourceSession(
                .init(
                    resource: "https://api.example/mcp", client: .registering(as: "Test"), grant: grant, store: MemoryCredentialStore(),
                    dependencies: .network))
        }
    }
}
