import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import OAuthProtocol
import WebAuthentication

/// The real client, and a development server that imitates a provider. Only the user is simulated, and the network is loopback.
struct ProviderSetting: Sendable {
    let server: DevelopmentAuthorizationServer
    let profile: ProviderProfile
    let store = MemoryCredentialStore()

    /// Runs a body with a server that has a provider's quirks, and with the provider's profile with the URLs of that server.
    static func using(_ name: String, _ body: (Self) async throws -> Void) async throws {
        try await using(try persona(of: name), named: name, body)
    }

    /// Runs a body with a server that has the persona's quirks, and with the profile of the provider with this name.
    static func using(_ persona: Persona, named name: String? = nil, _ body: (Self) async throws -> Void) async throws {
        try await withDevelopmentServer(.init(persona: persona)) { server in
            try await body(Self(server: server, profile: try profile(named: name ?? persona.name, at: server)))
        }
    }

    /// Returns a built-in profile for a server that imitates the provider: the provider's paths, at the server's origin.
    static func profile(named name: String, at server: DevelopmentAuthorizationServer) throws -> ProviderProfile {
        guard let known = ProviderProfile.builtIn(name) else { throw Unknown(name: name) }
        let policy = TransportPolicy.insecureHTTPOnLoopbackForDevelopment
        if case .url = known.place { return try known.profile(at: server.issuer, transport: policy).atOneAddress(server.issuer) }
        return try known.profile().rebased(onto: server.issuer, transport: policy)
    }

    struct Unknown: Error {
        let name: String
    }

    private static func persona(of name: String) throws -> Persona {
        // The same server for both kinds of registration.
        guard let persona = Persona.known(name == "github-app" ? "github" : name) else {
            throw Unknown(name: name)
        }
        return persona
    }

    /// A client that the profile allows, with a secret if it has one.
    func client(withSecret: Bool = true, secret: String? = nil) -> OAuthClient {
        let wantsGitHubApp = profile.name == "github-app"
        let registered = server.clients.first { client in
            (client.secret != nil) == withSecret && (client.kind == .gitHubApp) == wantsGitHubApp
        }
        return OAuthClient(id: registered?.id ?? "none", secret: secret.map { Secret($0) } ?? registered?.secret)
    }

    func session(
        of client: OAuthClient, at profile: ProviderProfile? = nil, scope: Scope? = nil, prompting: SignInPrompting = .manual
    ) -> OAuthSession {
        let filling = FormFilling(user: "octocat", password: Secret("octocat-password"))
        var configuration = OAuthSession.Configuration(
            server: profile ?? self.profile, client: client, scope: scope,
            grant: .authorizationCode(BrowserAuthenticator(opener: HeadlessBrowser(filling: filling, transport: NetworkTransport.shared))),
            store: store, dependencies: .network)
        configuration.prompting = prompting
        configuration.signInTimeout = .seconds(60)
        return OAuthSession(configuration)
    }

    /// The endpoint that identifies the signed-in user.
    var account: String { profile.accountEndpoint ?? server.issuer + "/user" }
}

extension ProviderProfile {
    /// GitHub.com has its API on a different host.
    fileprivate func atOneAddress(_ base: String) -> Self {
        switch name {
        case "github": .gitHub(web: base, api: base, transport: transport)
        case "github-app": .gitHubApp(web: base, api: base, transport: transport)
        default: self
        }
    }
}
