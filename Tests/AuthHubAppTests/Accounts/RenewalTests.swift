import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import GitHubAPI
import HTTPLoading
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct RenewalTests {
    private static let token = "/login/oauth/access_token"

    @Test func `after a restart the user is still signed in, and no page is shown`() async throws {
        let bench = Bench()
        _ = try await bench.signedIn()
        let next = try bench.app()
        await next.restore()
        let list = try await untilListed(next)
        #expect(list.person.login == "octocat")
        #expect(bench.person.browser.visitedURLs.count == 1)
    }

    @Test func `refreshes an expired access token unnoticed`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.time.advance(by: 30_000)
        let door = Door()
        bench.services.next(at: Self.token, .waits(door))
        list.loadMore()
        await door.untilReached()
        for _ in 0..<20 {
            await Task.yield()
            #expect(app.list === list && list.problem == nil && list.activity == .loadingMore)
        }
        door.open()
        await until { list.activity == nil }
        #expect(app.list === list && list.repositories.count == 100 && list.problem == nil)
        #expect(bench.services.count(Self.token) == 2)
        #expect(bench.person.browser.visitedURLs.count == 1)
    }

    @Test func `a token refreshed here, or by another process, belongs to the same user: the service is not asked again`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        #expect(bench.services.count("/user") == 1)
        bench.time.advance(by: 30_000)
        list.loadMore()
        await until { list.activity == nil }
        #expect(bench.services.count(Self.token) == 2 && list.repositories.count == 100)
        let generation = app.signIn.account.state.generation
        try await bench.otherProcess().refresh()
        await until { app.signIn.account.state.generation != generation }
        await list.refresh()
        #expect(app.list === list && list.repositories.count == 50 && list.problem == nil)
        #expect(bench.services.authorizations(at: "/user/repos").last != bench.services.authorizations(at: "/user/repos").dropLast().last)
        #expect(bench.services.count(Self.token) == 3 && bench.services.count("/user") == 1)
    }

    @Test func `a refresh while the user is requested: one response is enough`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: "/user", .waits(door))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        await door.untilReached()
        try await bench.otherProcess().refresh()
        door.open()
        #expect(try await untilListed(app).person.login == "octocat")
        #expect(bench.services.count("/user") == 1)
    }

    @Test func `tokens of a version that did not name their sign-in: requests the user after each refresh`() async throws {
        let bench = Bench()
        _ = try await bench.signedIn()
        try await bench.forgetSignInIDs()
        let next = try bench.app()
        await next.restore()
        let list = try await untilListed(next)
        let count = bench.services.count("/user")
        bench.time.advance(by: 30_000)
        list.loadMore()
        await until { list.activity == nil && list.repositories.count > 0 }
        #expect(next.list === list && bench.services.count("/user") == count + 1)
    }

    @Test func `a refresh that fails for the network: a notice, still signed in, gone when one succeeds`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.time.advance(by: 30_000)
        bench.services.always(at: Self.token, .failure(.cannotConnect))
        list.loadMore()
        await until { list.activity == nil && list.problem != nil }
        #expect(app.list === list && list.repositories.count == 50)
        #expect(
            list.problem
                == AppProblem(
                    "GitHub cannot be reached.", advice: "You are still signed in. Check the network, then try again.", remedy: .tryAgain))
        await list.tryAgain()
        #expect(list.problem != nil && app.list === list)
        bench.services.always(at: Self.token, .usual)
        bench.time.advance(by: 600)
        await list.tryAgain()
        await until { list.problem == nil && list.activity == nil }
        #expect(list.repositories.count == 100)
    }

    @Test func `an early refresh that fails leaves a notice with a retry`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.services.always(at: Self.token, .failure(.cannotConnect))
        // The token is valid, but close enough to its expiry to refresh it.
        bench.time.advance(by: 28_799)
        list.loadMore()
        await until { list.activity == nil && list.problem != nil }
        #expect(app.list === list)
        bench.services.always(at: Self.token, .usual)
        await list.tryAgain()
        await until { list.problem == nil }
    }

    @Test func `a token that has expired and cannot be refreshed: asks to sign in again, with the reason`() async throws {
        let bench = Bench()
        bench.services.configure { ($0.lifetime, $0.sendsRefreshTokens) = (3600, false) }
        let (app, list) = try await bench.signedIn(Bench.gitHub())
        bench.time.advance(by: 4000)
        list.loadMore()
        await until { list.problem != nil }
        #expect(
            list.problem
                == AppProblem(
                    "Your sign-in at GitHub is no longer valid.", advice: "Sign in again to continue.",
                    remedy: .signIn))
        list.signInAgain()
        await until { app.list === list && list.problem == nil && list.repositories.count == 100 }
    }

    @Test func `a restart with an expired token refreshes it, and shows the user`() async throws {
        let bench = Bench()
        _ = try await bench.signedIn()
        bench.time.advance(by: 100_000)
        let next = try bench.app()
        await next.restore()
        #expect(try await untilListed(next).person.login == "octocat")
        #expect(bench.services.count(Self.token) == 2)
    }
}
