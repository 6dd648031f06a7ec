import AniListAPI
import AuthHubPrimitives
import AuthHubTesting
import Testing
import WebAuthentication

@testable import AuthHubApp

/// What the provider's page shows is pasted.
@MainActor @Suite(.timeLimit(.minutes(3)))
struct PinPageTests {
    private func asked() async throws -> (Bench, AppModel) {
        let bench = Bench()
        let app = try bench.app(Bench.aniList())
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        return (bench, app)
    }

    @Test func `what is pasted signs in, and the viewer is shown`() async throws {
        let (bench, app) = try await asked()
        #expect(app.signIn.activity == .waitingForPerson && app.signIn.canCancel)
        #expect(app.signIn.question?.problem == nil)
        for text in ["", " \n"] {
            app.signIn.paste(text)
            #expect(app.signIn.question != nil)
        }
        bench.services.accept("octocat-access-pasted")
        app.signIn.paste(" octocat-access-pasted\n")
        #expect(app.signIn.question == nil)
        await until { app.viewer != nil }
        let viewer = try #require(app.viewer)
        #expect(viewer.viewer.name == "octocat" && viewer.providerName == "AniList" && viewer.problem == nil)
        await viewer.signOut()
        #expect(app.isSignInShown)
        #expect(app.signIn.problem?.text == "You are signed out here. AniList does not support sign-out by apps.")
    }

    @Test func `what is not the page's text is asked for again, with what was wrong`() async throws {
        let (bench, app) = try await asked()
        app.signIn.paste("https://elsewhere.example/")
        await until { app.signIn.question != nil }
        #expect(app.signIn.question?.problem == "This is another URL; paste the text that the page shows.")
        bench.services.accept("mona-access-1")
        app.signIn.paste("mona-access-1")
        await until { app.viewer != nil }
        #expect(app.viewer?.viewer.name == "mona")
    }

    @Test func `a page that cannot be shown is not waited for`() async throws {
        let failing = ScriptedBrowser { _ in .failure(WebAuthenticationError(.cannotShow, "no browser is installed")) }
        let app = try Bench().app(Bench.aniList(), pasting: failing)
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "The sign-in page cannot be shown." && app.signIn.question == nil)
    }

    @Test func `a private window shows the page, where there is one`() async throws {
        let door = Door()
        let window = ScriptedBrowser { _ in
            await door.pass()
            return .cancelled
        }
        let app = try Bench().app(Bench.aniList(), ephemeralPasting: window)
        await app.restore()
        #expect(app.signIn.offersEphemeralBrowser)
        app.signIn.usesEphemeralBrowser = true
        app.signIn.signIn()
        await door.untilReached()
        door.open()
        await until { app.signIn.activity == nil }
    }

    @Test func `a private window that cannot show the page is not offered`() async throws {
        let app = try Bench().app(Bench.gitHubApp(), Bench.aniList())
        await app.restore()
        app.signIn.usesEphemeralBrowser = true
        #expect(app.signIn.offersEphemeralBrowser && app.signIn.usesEphemeralBrowser)
        app.signIn.choice = app.signIn.providers[1].id
        #expect(!app.signIn.offersEphemeralBrowser && !app.signIn.usesEphemeralBrowser)
    }

    @Test func `cancelling ends the question, and the next sign-in asks anew`() async throws {
        let (_, app) = try await asked()
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.question == nil && app.signIn.problem == nil)
        app.signIn.paste("nobody waits for this")
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
    }

    @Test func `who cancels an earlier question does not end the next`() async {
        let desk = SignInDesk()
        let first = Task { await desk.ask("first") }
        await until { desk.question?.problem == "First." }
        let answer = Task {
            await until { desk.question?.problem == "Second." }
            // Its turn at the main actor comes after that of the task which notices the end of the first.
            await Task {}.value
            desk.take(Secret("text"))
        }
        // Its end is noticed by a task, which runs when the second question is there: nothing is waited for in between.
        first.cancel()
        #expect(await desk.ask("second")?.reveal() == "text")
        #expect(await first.value == nil)
        await answer.value
    }

    @Test func `a token that AniList takes back later is asked for again, with why`() async throws {
        let (bench, app) = try await asked()
        app.signIn.paste("octocat-access-unknown")
        await until { app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "AniList no longer accepts your sign-in.")
        #expect(app.signIn.canSignIn && app.signIn.canSignOut)
        bench.services.accept("octocat-access-2")
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        app.signIn.paste("octocat-access-2")
        await until { app.viewer != nil }
    }
}
