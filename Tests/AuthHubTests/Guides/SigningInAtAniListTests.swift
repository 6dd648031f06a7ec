import AniListAPI
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

/// Runs the code of the guide "Signing in at AniList" unchanged.
struct SigningInAtAniListTests {
    private let store = MemoryCredentialStore()
    private let browser = BrowserAuthenticator(
        opener: HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))

    @Test func `who the viewer is`() async throws {
        let port = try quietPort()
        let client = DevelopmentClient(id: "1001", name: "App", redirectURIs: ["http://127.0.0.1:\(port)/callback"])
        try await withDevelopmentServer(.init(persona: .aniList, clients: [client])) { server in
            let provider = ProviderProfile.aniList(
                web: server.issuer, graphQL: "\(server.issuer)/graphql", transport: .insecureHTTPOnLoopbackForDevelopment)
            let name = try await viewer(at: provider, clientID: "1001", port: port, endpoint: "\(server.issuer)/graphql")
            #expect(name == "octocat")
        }
    }

    private func viewer(at provider: ProviderProfile, clientID: String, port: UInt16, endpoint: String) async throws -> String {
        // snippet: anilist-viewer
        let session = OAuthSession(
            server: provider,  // .aniList
            client: OAuthClient(id: clientID, redirectURI: .loopback(port: port)),
            browser: browser,
            store: store)
        let viewer = try await AniList(session: session, endpoint: endpoint).viewer()
        // end
        return viewer.name
    }

    @Test func `what the pin page shows is pasted`() async throws {
        let page = "https://anilist.co/api/v2/oauth/pin"
        let store = store
        // snippet: anilist-pin
        let browser = BrowserAuthenticator(
            opener: ShowNothing(),
            pastePrompt: { problem in
                await askThePerson(for: "The text from the page", because: problem)
            })
        let session = OAuthSession(
            server: .aniList,
            client: OAuthClient(id: "42", redirectURI: RedirectURI(page) ?? .loopback),
            browser: browser,
            store: store)
        try await session.signIn()
        // end
        #expect(try await session.accessToken().value.reveal() == "eyJhbGciOiJSUzI1NiJ9.pasted")
    }
}

private struct ShowNothing: PageOpener {
    func open(_ url: String) async {}
}

/// Simulates a user who pastes a URL, then the text from the page, and then gives up: otherwise, a sign-in that does not accept the text
/// would ask again and again until it times out.
private func askThePerson(for text: String, because problem: String?) async -> Secret<String>? {
    switch problem {
    case nil: Secret("https://elsewhere.example/")
    case let problem? where problem.contains("another URL"): Secret(" eyJhbGciOiJSUzI1NiJ9.\npasted ")
    default: nil
    }
}
