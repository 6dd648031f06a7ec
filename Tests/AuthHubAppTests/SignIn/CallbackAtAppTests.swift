import AuthHubPrimitives
import AuthHubTesting
import GitHubAPI
import Testing

@testable import AuthHubApp

/// Callbacks that arrive at the app instead of at the session that showed the page, as `onOpenURL` delivers them.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct CallbackAtAppTests {
    /// Returns the callback that would follow from the page that was shown last.
    private func callback(_ bench: Bench, code: String = "octocat", state: String? = nil) throws -> String {
        let page = try #require(bench.person.browser.visitedURLs.last)
        let query = try FormParameters(decoding: page.split(separator: "?", maxSplits: 1).last ?? "")
        return "http://127.0.0.1:49152/callback?code=\(code)&state=\(state ?? query["state"] ?? "")"
    }

    @Test func `a callback finishes the sign-in of a process that ended, and selects its service`() async throws {
        let bench = Bench()
        let (door, gitHub) = (Door(), try Bench.gitHubApp())
        let before = try await bench.signingIn(at: door)
        let app = try bench.app(try Bench.aniList(), gitHub)
        await app.restore()
        #expect(app.signIn.choice == "anilist")
        await app.finishSignIn(with: try callback(bench))
        #expect(app.signIn.choice == "github-app")
        #expect(try await untilListed(app).person.login == "octocat")
        door.open()
        await until { before.signIn.activity == nil }
        #expect(bench.services.count("/login/oauth/access_token") == 1)
    }

    @Test func `a callback that the app receives while its own page is shown ends the wait`() async throws {
        let (bench, door) = (Bench(), Door())
        let app = try await bench.signingIn(at: door)
        await app.finishSignIn(with: try callback(bench))
        door.open()
        #expect(try await untilListed(app).person.login == "octocat")
        #expect(bench.services.count("/login/oauth/access_token") == 1)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var state: String?
        var path = "callback"
    }

    @Test(arguments: [
        Row(testDescription: "a different state", state: "forged"),
        Row(testDescription: "no state", state: ""),
        Row(testDescription: "another path", path: "other"),
    ])
    func `reports a callback that no sign-in waits for, and goes on waiting`(row: Row) async throws {
        let (bench, door) = (Bench(), Door())
        let before = try await bench.signingIn(at: door)
        let app = try bench.app()
        await app.restore()
        let forged = try callback(bench, code: "mona", state: row.state).replacing("/callback?", with: "/\(row.path)?")
        await app.finishSignIn(with: forged)
        #expect(app.isSignInShown && app.signIn.canSignIn)
        #expect(app.signIn.problem?.text == "The response did not belong to this sign-in at GitHub and was not used.")
        #expect(bench.services.count("/login/oauth/access_token") == 0)
        door.open()
        #expect(try await untilListed(before).person.login == "octocat")
    }

    @Test func `a callback is used once`() async throws {
        let (bench, door) = (Bench(), Door())
        let before = try await bench.signingIn(at: door)
        let app = try bench.app()
        let callback = try callback(bench)
        await app.finishSignIn(with: callback)
        _ = try await untilListed(app)
        await app.finishSignIn(with: callback)
        #expect(try await untilListed(app).person.login == "octocat")
        #expect(bench.services.count("/login/oauth/access_token") == 1)
        door.open()
        await until { before.signIn.activity == nil }
    }
}
