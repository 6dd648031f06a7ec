import AniListAPI
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import Testing
import WebAuthentication

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct AniListStoryTests {
    @Test func `requests the viewer with GraphQL, and shows it again after a restart`() async throws {
        let port = try quietPort()
        let client = DevelopmentClient(id: "1001", name: "App", redirectURIs: ["http://127.0.0.1:\(port)/callback"])
        try await withDevelopmentServer(.init(persona: .aniList, clients: [client])) { server in
            let story = try Story(
                server, store: MemoryCredentialStore(),
                #""provider": "anilist", "client_id": "1001", "redirect_uri": "http://127.0.0.1:\#(port)/callback""#)
            let app = story.app()
            await app.restore()
            app.signIn.signIn()
            await until { app.viewer != nil || app.signIn.problem != nil }
            let viewer = try #require(app.viewer, "\(String(describing: app.signIn.problem))")
            #expect(viewer.name == "octocat")
            #expect(server.log.requests(path: "/graphql") == 1)

            let next = story.app()
            await next.restore()
            await until { next.viewer != nil }
            server.faults.revokeAllAccessTokens()
            let last = story.app()
            await last.restore()
            await until { last.signIn.problem != nil }
            #expect(last.signIn.problem?.remedy == .signIn && last.signIn.canSignIn)
            await last.signIn.signOut()
            #expect(!last.signIn.isSignedIn && last.signIn.activity == nil)
            #expect(last.signIn.problem?.text == "You are signed out here. AniList does not support sign-out by apps.")
            let accounts = try await story.store.accounts()
            #expect(accounts.isEmpty)
        }
    }
}
