import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct OpenIDStoryTests {
    private static let settings = #""provider": "google", "client_id": "web-app", "client_secret_file": "secret""#

    @Test func `shows the name and the picture from the verified ID token, and the name again after a restart`() async throws {
        try await withDevelopmentServer(.init(persona: try #require(Persona.known("google")))) { server in
            let story = try Story(server, store: MemoryCredentialStore(), Self.settings)
            let app = story.app()
            await app.restore()
            #expect(app.signIn.reason.contains("your permission to read your profile at Google"))
            app.signIn.signIn()
            await until { app.viewer?.picture != nil || app.signIn.problem != nil }
            let viewer = try #require(app.viewer, "\(String(describing: app.signIn.problem))")
            #expect(viewer.name == "The Octocat" && viewer.providerName == "Google" && viewer.page == nil)
            #expect(viewer.picture.flatMap { PictureHeader($0) }?.kind == .png)
            #expect(server.log.requests(path: "/avatars/583231") == 1)

            let next = story.app()
            await next.restore()
            await until { next.viewer != nil }
            #expect(next.viewer?.name == "The Octocat")
            await next.viewer?.signOut()
            #expect(next.viewer == nil)
            let accounts = try await story.store.accounts()
            #expect(accounts.isEmpty)
        }
    }

    @Test func `does not sign in if the ID token is for another client`() async throws {
        try await withDevelopmentServer(.init(persona: try #require(Persona.known("google")))) { server in
            server.faults.always(at: .tokenEndpoint, .altered([.claim("aud", "another-client")]))
            let story = try Story(server, store: MemoryCredentialStore(), Self.settings)
            let app = story.app()
            await app.restore()
            app.signIn.signIn()
            await until { app.viewer != nil || app.signIn.problem != nil }
            #expect(app.viewer == nil && app.signIn.canSignIn)
            #expect(app.signIn.problem?.text == "The response did not belong to this sign-in at Google and was not used.")
        }
    }
}
