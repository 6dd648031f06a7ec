import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import GitHubAPI
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct SignOutTests {
    private static let revocation = "/applications/id/token"

    @Test func `a sign-out deletes the tokens, revokes them, and shows the first screen at once`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        let door = Door()
        bench.services.next(at: Self.revocation, .waits(door))
        let leaving = Task { await list.signOut() }
        await until { app.isSignInShown }
        #expect(app.signIn.activity == .signingOut && !app.signIn.canSignIn)
        await door.untilReached()
        #expect(try await bench.store.accounts().isEmpty)
        app.signIn.signIn()
        #expect(app.signIn.activity == .signingOut)
        door.open()
        await leaving.value
        #expect(app.signIn.activity == nil && app.signIn.problem == nil)
        #expect(bench.person.browser.visitedURLs.count == 1)
    }

    @Test func `signing out at GitHub, too, shows its sign-out page once the tokens are gone`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        #expect(list.signOutText == "Sign Out Here" && list.providerSignOutText == "Sign Out at GitHub Too")
        let door = Door()
        bench.services.next(at: Self.revocation, .waits(door))
        let leaving = Task { await list.signOut(atProvider: true) }
        await door.untilReached()
        #expect(bench.pages.urls.isEmpty)
        door.open()
        await leaving.value
        #expect(bench.pages.urls == ["https://github.com/logout"])
        #expect(app.isSignInShown && app.signIn.problem == nil)
        #expect(try await bench.store.accounts().isEmpty)
    }

    @Test func `signing out locally shows no page`() async throws {
        let bench = Bench()
        let (_, list) = try await bench.signedIn()
        await list.signOut()
        #expect(bench.pages.urls.isEmpty)
    }

    @Test func `a sign-out page that cannot be shown: the user is signed out locally, and told where to go`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.pages.refuse()
        await list.signOut(atProvider: true)
        #expect(app.isSignInShown)
        #expect(app.signIn.problem?.advice.contains("https://github.com/logout") == true)
    }

    @Test func `a service without a sign-out page offers one way to sign out`() throws {
        let aniList = try Bench.aniList()
        #expect(aniList.logoutPage == nil && aniList.logoutText == nil)
        #expect(try Bench.gitHub().logoutPage == "https://github.com/logout")
    }

    @Test func `the next user sees nothing of the one before`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn()
        await first.signOut()
        bench.person.now(.consents("mona"))
        app.signIn.signIn()
        let second = try await untilListed(app)
        #expect(second !== first && second.person.login == "mona" && second.repositories.isEmpty)
    }

    @Test func `a sign-out ends a page that is loading without a message`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        let door = Door()
        bench.services.next(at: "/user/repos", .waits(door))
        list.loadMore()
        await door.untilReached()
        await list.signOut()
        await until { list.activity == nil }
        #expect(app.isSignInShown && app.signIn.problem == nil && list.repositories.count == 50)
    }

    @Test func `a sign-out while the user is requested`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: "/user", .answersLate(door))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        await door.untilReached()
        await until { app.signIn.activity == .arriving }
        await app.signIn.signOut()
        door.open()
        #expect(app.signIn.activity == nil && app.signIn.problem == nil && !app.signIn.isSignedIn)
        app.signIn.signIn()
        #expect(try await untilListed(app).person.login == "octocat")
    }

    @Test func `a sign-out during a sign-in closes its page`() async throws {
        let bench = Bench()
        let door = Door()
        let app = try await bench.signingIn(at: door)
        await app.signIn.signOut()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.problem == nil && app.signIn.canSignIn)
        bench.person.now(.consents("octocat"))
        app.signIn.signIn()
        _ = try await untilListed(app)
    }

    @Test func `finishing closes a page, and waits for a sign-out in progress`() async throws {
        let bench = Bench()
        let door = Door()
        let app = try await bench.signingIn(at: door)
        await app.finish()
        await until { app.signIn.activity == nil }

        bench.person.now(.consents("octocat"))
        app.signIn.signIn()
        let list = try await untilListed(app)
        let atRevocation = Door()
        bench.services.next(at: Self.revocation, .waits(atRevocation))
        let leaving = Task { await list.signOut() }
        await atRevocation.untilReached()
        var isFinished = false
        let finishing = Task {
            await app.finish()
            isFinished = true
        }
        // A session that has nothing to wait for finishes earlier, although it was asked later.
        try await bench.app().finish()
        #expect(!isFinished)
        atRevocation.open()
        await finishing.value
        #expect(isFinished)
        #expect(app.signIn.activity == nil && bench.services.count(Self.revocation) == 1)
        await leaving.value
    }

    @Test func `finishing ends requests in progress, and the list stays`() async throws {
        let bench = Bench()
        let app = try bench.app()
        bench.person.now(.consents("octocat"))
        app.signIn.signIn()
        let list = try await untilListed(app)
        let door = Door()
        bench.services.next(at: "/user/repos", .waits(door))
        let refreshing = Task { await list.refresh() }
        await door.untilReached()
        let count = list.repositories.count
        await app.finish()
        #expect(list.activity == nil && list.repositories.count == count)
        door.open()
        await refreshing.value
        #expect(list.problem == nil && list.repositories.count == count)
    }
}
