import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization

/// Basic authentication, OAuth, and both in one chain.
extension ChainExample {
    static func authorizing(at servers: Servers) async throws {
        let basic = try BasicAuthorizer(
            BasicCredentials(userID: "ada", password: Secret("engine")), origins: [servers.one.origin, servers.other.origin])
        let withBasic = try servers.chain(AuthorizeLoader(basic))
        show("basic", try await withBasic.load(.get("/secret")).text())

        let (session, tokenRequests) = session(at: servers)
        let withToken = try servers.chain(RedirectLoader(), AuthorizeLoader(session.authorizer))
        let user = try await withToken.load(.get("/user"))
        show("OAuth", "\(try await user.text()) after \(tokenRequests.count) token requests and \(user.notes.replays) replay")
        show("redirect, OAuth", try await withToken.load(.get("/away")).text() + " (the token stays with its origin)")

        let router = try AuthorizerRouter([.init("oauth", session.authorizer), .init("basic", basic)])
        let withBoth = try servers.chain(AuthorizeLoader(router))
        var secret = try LoadRequest.get("/secret")
        secret.options[Authentication.self] = .named("basic")
        var open = secret
        open.options[Authentication.self] = .none
        show("composite: by origin", try await withBoth.load(.get("/user")).text())
        show("composite: by name", try await withBoth.load(secret).text())
        show("composite: none", "\(try await withBoth.load(open).status.code)")

        let attached = try servers.chain(AuthorizeLoader(session.authorizer(onReset: .signOut)))
        await attached.reset()
        show("reset that signs out", session.state.isSignedOut ? "no one is signed in" : "someone is signed in")
    }

    /// Returns a separate session, with a loader in front of its token requests.
    private static func session(at servers: Servers) -> (OAuthSession, NumberLoader) {
        let base = "\(servers.one.origin)"
        var profile = ProviderProfile(
            name: "nginx", displayName: "nginx", endpoints: Endpoints(authorization: base + "/oauth", token: base + "/oauth/token"))
        profile.transport = .insecureHTTPOnLoopbackForDevelopment
        profile.resourceOrigins = [servers.one.origin]
        let tokenRequests = NumberLoader()
        var dependencies = Dependencies.network
        dependencies.serverLoaders = [tokenRequests]
        let configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "example", secret: Secret("s3cret")), grant: .clientCredentials,
            store: MemoryCredentialStore(), dependencies: dependencies)
        return (OAuthSession(configuration), tokenRequests)
    }
}

/// A loader that numbers the requests to the authorization server.
private final class NumberLoader: Loader {
    private let sent = Mutex(0)

    var count: Int { sent.withLock { $0 } }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var request = request
        let number = sent.withLock { sent in
            sent += 1
            return sent
        }
        if let name = HTTPField.Name("X-Number") { request.head.headerFields[name] = "\(number)" }
        return try await next(request)
    }
}
