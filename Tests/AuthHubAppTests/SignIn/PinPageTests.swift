import AniListAPI
import AuthHubPrimitives
import AuthHubTesting
import Testing
import WebAuthentication

@testable import AuthHubApp

/// The user pastes what the provider's page shows.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct PinPageTests {
    private func asked() async throws -> (Bench, AppModel) {
        let bench = Bench()
        let app = try bench.app(Bench.aniList())
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        return (bench, app)
    }

    @Test func `pasting signs in, and shows the viewer`() async throws {
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
        #expect(viewer.name == "octocat" && viewer.providerName == "AniList" && viewer.problem == nil)
        await viewer.signOut()
        #expect(app.isSignInShown)
        #expect(app.signIn.problem?.text == "You are signed out here. AniList does not support sign-out by apps.")
    }

    @Test func `asks again for invalid text, and says what was wrong`() async throws {
        let (bench, app) = try await asked()
        app.signIn.paste("https://elsewhere.example/")
        await until { app.signIn.question != nil }
        #expect(app.signIn.question?.problem == "This is another URL; paste the text that the page shows.")
        bench.services.accept("mona-access-pasted-1")
        app.signIn.paste("mona-access-pasted-1")
        await until { app.viewer != nil }
        #expect(app.viewer?.name == "mona")
    }

    @Test func `does not wait for a page that cannot be shown`() async throws {
        let failing = ScriptedBrowser { _ in .failure(WebAuthenticationError(.cannotShow, "no browser is installed")) }
        let app = try Bench().app(Bench.aniList(), pasting: failing)
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "The sign-in page cannot be shown." && app.signIn.question == nil)
    }

    @Test func `shows the page in a private window, if available`() async throws {
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

    @Test func `does not offer a private window that cannot show the page`() async throws {
        let app = try Bench().app(Bench.gitHubApp(), Bench.aniList())
        await app.restore()
        app.signIn.usesEphemeralBrowser = true
        #expect(app.signIn.offersEphemeralBrowser && app.signIn.usesEphemeralBrowser)
        app.signIn.choice = app.signIn.providers[1].id
        #expect(!app.signIn.offersEphemeralBrowser && !app.signIn.usesEphemeralBrowser)
    }

    @Test func `cancelling ends the prompt, and the next sign-in asks again`() async throws {
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

    @Test func `cancelling an earlier prompt does not end the next one`() async {
        let desk = SignInDesk()
        let first = Task { await desk.ask("first") }
        await until { desk.question?.problem == "First." }
        let answer = Task {
            await until { desk.question?.problem == "Second." }
            // This task runs on the main actor after the task that detects the end of the first prompt.
            await Task {}.value
            desk.take(Secret("text"))
        }
        // A task detects the end of the first prompt. It runs when the second prompt exists, because nothing is awaited in between.
        first.cancel()
        #expect(await desk.ask("second")?.reveal() == "text")
        #expect(await first.value == nil)
        await answer.value
    }

    @Test func `asks for a token again after AniList revokes it, with the reason`() async throws {
        let (bench, app) = try await asked()
        app.signIn.paste("octocat-access-unknown")
        await until { app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "AniList no longer accepts your sign-in.")
        #expect(app.signIn.canSignIn && app.signIn.canSignOut)
        bench.services.accept("octocat-access-pasted-2")
        app.signIn.signIn()
        await until { app.signIn.question != nil }
        app.signIn.paste("octocat-access-pasted-2")
        await until { app.viewer != nil }
    }
}
