import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import GitHubAPI
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct GitHubStoryTests {
    private func withStory(
        _ persona: Persona = .gitHub, _ provider: String = "github-app", count: Int = 237,
        _ body: (Story) async throws -> Void
    ) async throws {
        try await withDevelopmentServer(.init(persona: persona, delays: .init(), repositoryCount: count)) { server in
            try await Story.withFolder { folder in
                let store = EncryptedFileStore(folder: folder + "/credentials", key: KeyFile(path: folder + "/key"))
                let client = try #require(server.clients.first { $0.secret != nil })
                try await body(
                    Story(server, store: store, #""provider": "\#(provider)", "client_id": "\#(client.id)", "client_secret_file": "s""#))
            }
        }
    }

    private func listed(_ app: AppModel) async throws -> RepositoriesModel {
        await until { app.list != nil || app.signIn.problem != nil }
        return try #require(app.list, "\(String(describing: app.signIn.problem))")
    }

    private func more(_ list: RepositoriesModel) async {
        list.loadMore()
        await until { list.activity == nil }
    }

    @Test func `signing in, all pages, an expiry, a restart and the end`() async throws {
        try await withStory { story in
            let app = story.app()
            await app.restore()
            #expect(app.isSignInShown && app.signIn.canSignIn)
            app.signIn.signIn()
            #expect(app.signIn.activity == .waitingForPerson)
            let list = try await listed(app)
            #expect(list.person.login == "octocat")
            while !list.isComplete, list.problem == nil, !Task.isCancelled {
                await more(list)
                story.server.faults.expireAllAccessTokens()
            }
            #expect(list.problem == nil && list.repositories.count == 237)
            #expect(Set(list.repositories.map(\.id)).count == 237)
            #expect(story.server.log.refreshes == 4 && app.list === list)
            await until { list.picture != nil }
            #expect(story.server.log.entries.allSatisfy { !$0.path.hasPrefix("/avatars/") || !$0.hasBearerToken })

            let next = story.app()
            await next.restore()
            let again = try await listed(next)
            #expect(again.person == list.person)
            await more(again)
            #expect(again.repositories == Array(list.repositories.prefix(50)))
            await again.signOut()
            #expect(next.isSignInShown && next.signIn.problem == nil)
            #expect(story.server.log.revocations > 0)
            let accounts = try await story.store.accounts()
            #expect(accounts.isEmpty)
            await app.finish()
            await next.finish()
        }
    }

    @Test func `asks for access that the user revoked at the server again, and continues the list`() async throws {
        try await withStory { story in
            let app = story.app()
            await app.restore()
            app.signIn.signIn()
            let list = try await listed(app)
            await more(list)
            story.server.faults.revokeAllGrants()
            list.loadMore()
            await until { app.isSignInShown && app.signIn.problem != nil }
            #expect(app.signIn.problem?.text == "Your sign-in at GitHub is no longer valid." && app.signIn.problem?.remedy == .signIn)
            app.signIn.signIn()
            await until { list.repositories.count == 100 }
            #expect(app.list === list && list.problem == nil)
        }
    }

    @Test func `the user chooses the ephemeral browser, and another user signs in`() async throws {
        try await withStory(count: 3) { story in
            let app = story.app()
            await app.restore()
            app.signIn.usesEphemeralBrowser = true
            app.signIn.signIn()
            let list = try await listed(app)
            #expect(list.person.login == "mona")
        }
    }

    @Test func `a user who denies access is told so, and can start again`() async throws {
        try await withStory(count: 3) { story in
            let app = story.app(refuses: true)
            await app.restore()
            app.signIn.signIn()
            await until { app.signIn.problem != nil }
            #expect(app.signIn.problem?.remedy == .signIn && app.signIn.canSignIn)
            let accounts = try await story.store.accounts()
            #expect(accounts.isEmpty)
        }
    }

    @Test func `retries a page at the same place after a server error`() async throws {
        try await withStory { story in
            let app = story.app()
            await app.restore()
            app.signIn.signIn()
            let list = try await listed(app)
            await more(list)
            story.server.faults.nextAPIResponse(.dropConnection)
            await more(list)
            #expect(list.problem?.text == "GitHub cannot be reached.")
            story.server.faults.nextAPIResponse(.status(429, retryAfter: .seconds(7)))
            await list.tryAgain()
            #expect(list.problem?.advice == "Try again in 7 seconds.")
            await list.tryAgain()
            #expect(list.problem == nil && list.repositories.count == 100)
        }
    }
}
