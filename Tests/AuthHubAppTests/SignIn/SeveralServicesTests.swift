import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import GitHubAPI
import OAuthProtocol
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct SeveralServicesTests {
    private func services() throws -> (AppProvider, AppProvider) { (try Bench.gitHubApp(), try Bench.aniList()) }

    @Test func `selects a service only while nothing is in progress, and only one that is offered`() async throws {
        let bench = Bench()
        let (gitHub, aniList) = try services()
        let app = try bench.app(gitHub, aniList)
        await app.restore()
        #expect(app.signIn.providers.map(\.id) == ["github-app", "anilist"])
        #expect(app.signIn.canChoose)
        app.signIn.choice = "anilist"
        #expect(app.signIn.providerName == "AniList")
        app.signIn.choice = "nobody"
        #expect(app.signIn.choice == "anilist")
        app.signIn.choice = "github-app"

        let door = Door()
        bench.person.now(.waits(door))
        app.signIn.signIn()
        app.signIn.choice = "anilist"
        #expect(app.signIn.choice == "github-app" && !app.signIn.canChoose)
        await door.untilReached()
        app.signIn.choice = "anilist"
        #expect(app.signIn.choice == "github-app")
        door.open()
        _ = try await untilListed(app)
    }

    @Test func `shows the service with a signed-in user first`() async throws {
        let bench = Bench()
        let (gitHub, aniList) = try services()
        try await bench.otherProcess(as: "octocat", gitHub).signIn()
        let app = try bench.app(aniList, gitHub)
        await app.restore()
        #expect(app.signIn.choice == "github-app")
        #expect(try await untilListed(app).person.login == "octocat")
    }

    @Test func `switches to another service's account, and back, without signing out`() async throws {
        let bench = Bench()
        let (gitHub, aniList) = try services()
        try await bench.otherProcess(as: "octocat", gitHub).signIn()
        let app = try bench.app(gitHub, aniList)
        await app.restore()
        let list = try await untilListed(app)
        #expect(app.signIn.others.map(\.id) == ["anilist"])
        app.signIn.choice = "anilist"
        guard case .signIn = app.screen else { return #expect(Bool(false), "the list is still shown") }
        await until { app.signIn.canSignIn }
        #expect(app.signIn.others.map(\.id) == ["github-app"])
        app.signIn.choice = "github-app"
        #expect(try await untilListed(app) === list)
    }

    @Test func `an account that no one has looked at is read when the user switches to it`() async throws {
        let bench = Bench()
        let first = try Bench.gitHubApp()
        let second = try Bench.provider(#"{"provider": "github", "client_id": "other", "client_secret_file": "s"}"#)
        try await bench.otherProcess(as: "octocat", first).signIn()
        try await bench.otherProcess(as: "mona", second).signIn()
        let app = try bench.app(first, second)
        await app.restore()
        #expect(try await untilListed(app).person.login == "octocat")
        app.signIn.choice = "github"
        #expect(try await untilListed(app).person.login == "mona")
    }

    @Test func `two files for the same client are two users' accounts`() async throws {
        let bench = Bench()
        var other = try Bench.gitHubApp()
        other.id = "work"
        let app = try bench.app(try Bench.gitHubApp(), other)
        await app.restore()
        app.signIn.signIn()
        let octocat = try await untilListed(app)
        app.signIn.choice = "work"
        await until { app.signIn.canSignIn }
        bench.person.now(.consents("mona"))
        app.signIn.signIn()
        #expect(try await untilListed(app).person.login == "mona")
        app.signIn.choice = "github-app"
        #expect(try await untilListed(app) === octocat)
        #expect(octocat.person.login == "octocat")
    }

    @Test func `a sign-in that the user starts in the meantime stays in front`() async throws {
        let bench = Bench()
        let (gitHub, aniList) = try services()
        try await bench.otherProcess(as: "octocat", gitHub).signIn()
        let app = try bench.app(aniList, gitHub)
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        await app.restore()
        #expect(app.signIn.choice == "anilist")
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
    }

    @Test func `the user's choice of browser applies to all services, without the sessions' knowledge`() async throws {
        let bench = Bench()
        let (gitHub, aniList) = try services()
        let app = try bench.app(gitHub, aniList, ephemeralPasting: bench.ephemeral.browser)
        await app.restore()
        #expect(!app.signIn.usesEphemeralBrowser)
        app.signIn.usesEphemeralBrowser = true
        app.signIn.choice = "anilist"
        #expect(app.signIn.usesEphemeralBrowser)
        app.signIn.choice = "github-app"
        bench.ephemeral.now(.consents("mona"))
        app.signIn.signIn()
        let mona = try await untilListed(app)
        #expect(mona.person.login == "mona")
        #expect(bench.person.browser.visitedURLs.isEmpty && bench.ephemeral.browser.visitedURLs.count == 1)
        await mona.signOut()
        app.signIn.usesEphemeralBrowser = false
        app.signIn.signIn()
        #expect(try await untilListed(app).person.login == "octocat")
        #expect(bench.person.browser.visitedURLs.count == 1 && bench.ephemeral.browser.visitedURLs.count == 1)
    }
}
