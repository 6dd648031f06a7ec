import AuthHub
import AuthHubPrimitives
import GitHubAPI
import HTTPLoading
import Testing

@testable import AuthHubApp

/// One user's data is never shown as another's, however the credential changes.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct ChangesOfPersonTests {
    private static let repositories = "/user/repos"

    private func isPure(_ list: RepositoriesModel) -> Bool {
        list.repositories.allSatisfy { $0.fullName.hasPrefix("\(list.person.login)/") }
    }

    @Test func `requests the user first, and only then shows the second screen`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: "/user", .waits(door))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.activity == .arriving }
        #expect(app.isSignInShown && bench.services.count(Self.repositories) == 0)
        door.open()
        let list = try await untilListed(app)
        #expect(list.person.login == "octocat" && list.repositories.isEmpty && list.activity == nil)
    }

    @Test func `shows the list of the new user after another process signs in a different user`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn()
        try await bench.otherProcess(as: "mona").signIn()
        await until { app.list !== first && app.list != nil }
        let second = try #require(app.list)
        #expect(second.person.login == "mona" && second.repositories.isEmpty)
        second.loadMore()
        await until { second.activity == nil }
        #expect(second.repositories.count == 50 && isPure(second))
        first.loadMore()
        await until { first.activity == nil }
        #expect(isPure(first) && first.repositories.count == 50)
    }

    @Test func `ignores a page that is loading when another user signs in elsewhere`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn()
        let (page, user) = (Door(), Door())
        bench.services.next(at: Self.repositories, .answersLate(page))
        bench.services.next(at: "/user", .waits(user))
        first.loadMore()
        await page.untilReached()
        try await bench.otherProcess(as: "mona").signIn()
        await user.untilReached()
        page.open()
        // A complete sign-in and a page, in another process: this takes longer than the rest of the page that is loading here.
        _ = try await Bench().signedIn()
        #expect(app.list === first && first.repositories.count == 50, "it is not known yet whose the page is")
        user.open()
        await until { app.list?.person.login == "mona" }
        await until { first.activity == nil }
        #expect(isPure(first) && first.repositories.count == 50)
    }

    @Test func `a page loaded with the next user's credential does not appear in the first user's list`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn()
        try await bench.otherProcess(as: "mona").signIn()
        // The models have not been notified yet.
        first.loadMore()
        await until { first.activity == nil }
        await until { app.list?.person.login == "mona" }
        #expect(isPure(first) && app.list !== first)
    }

    @Test func `the same user's credential from another process changes nothing on the screen`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        let page = Door()
        bench.services.next(at: Self.repositories, .answersLate(page))
        list.loadMore()
        await page.untilReached()
        try await bench.otherProcess(as: "octocat").signIn()
        await bench.services.untilAsked("/user", 2)
        page.open()
        await until { list.activity == nil }
        #expect(app.list === list && list.repositories.count == 100 && isPure(list) && list.problem == nil)
    }

    @Test func `reloads a page during which another user signed in and out`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        let page = Door()
        bench.services.next(at: Self.repositories, .answersLate(page))
        // Mona has signed out before the app knows that she was the signed-in user.
        bench.services.next(at: "/user", .waits(Door()))
        list.loadMore()
        await page.untilReached()
        try await bench.otherProcess(as: "mona").signIn()
        await bench.services.untilAsked("/user", 2)
        try await bench.otherProcess(as: "octocat").signIn()
        await bench.services.untilAsked("/user", 3)
        page.open()
        await until { list.activity == nil }
        #expect(app.list === list && list.repositories.count == 100 && isPure(list))
        #expect(bench.services.count(Self.repositories) == 3)
    }

    @Test func `ignores results for a credential that is no longer in use`() async throws {
        let (app, list) = try await Bench().signedIn()
        app.signIn.account.personAnswered(.failure(AppProblem("late", advice: "", remedy: .none)), of: .credential(generation: 0))
        #expect(app.list === list && list.problem == nil)
    }

    @Test func `loads nothing more if the current user is unknown, until a retry succeeds`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.services.always(at: "/user", .failure(.cannotConnect))
        try await bench.otherProcess(as: "mona").signIn()
        await until { list.problem != nil }
        #expect(list.problem?.remedy == .tryAgain && app.list === list)
        let count = bench.services.count(Self.repositories)
        for _ in 0..<3 { list.loadMore() }
        #expect(list.activity == nil && bench.services.count(Self.repositories) == count)
        await list.refresh()
        #expect(bench.services.count(Self.repositories) == count && isPure(list))
        bench.services.always(at: "/user", .usual)
        await list.tryAgain()
        #expect(app.list?.person.login == "mona")
        #expect(isPure(list))
    }

    @Test func `after a new sign-in in the window nothing is shown before the user is known`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn(Bench.gitHub())
        let user = Door()
        bench.services.next(at: "/user", .waits(user))
        bench.person.now(.consents("mona"))
        first.signInAgain()
        #expect(app.isSignInShown && app.signIn.activity == .waitingForPerson)
        await user.untilReached()
        await until { app.signIn.activity == .arriving }
        #expect(app.isSignInShown)
        user.open()
        #expect(try await untilListed(app).person.login == "mona")
        #expect(app.list !== first)
    }

    @Test func `a user who closes the page of a new sign-in returns to their list`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn(Bench.gitHub())
        bench.person.now(.closes)
        list.signInAgain()
        await until { list.problem != nil }
        #expect(list.problem?.text == "You closed the sign-in page.")
        #expect(app.list === list && list.repositories.count == 50)
        list.loadMore()
        await until { list.activity == nil }
        #expect(list.repositories.count == 100)

        let door = Door()
        bench.person.now(.waits(door))
        list.signInAgain()
        await door.untilReached()
        app.signIn.cancel()
        await until { app.list === list }
        #expect(list.problem == nil)
    }

    @Test func `a rejected token: asks to sign in again, and continues the same user's list`() async throws {
        let bench = Bench()
        bench.services.configure { ($0.lifetime, $0.sendsRefreshTokens) = (nil, false) }
        let (app, list) = try await bench.signedIn(Bench.gitHub())
        bench.services.endAccessTokens()
        list.loadMore()
        await until { list.activity == nil }
        #expect(list.problem?.text == "GitHub no longer accepts your sign-in." && list.problem?.remedy == .signIn)
        #expect(app.list === list && list.repositories.count == 50)
        list.signInAgain()
        await until { list.repositories.count == 100 && app.list === list }
        #expect(list.problem == nil)
    }

    @Test func `a grant that the server revoked: asks to sign in again with the reason, and continues the same user's list`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        bench.services.endGrants()
        list.loadMore()
        await until { app.isSignInShown && app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "Your sign-in at GitHub is no longer valid.")
        #expect(app.signIn.problem?.advice.contains("The refresh token is incorrect or expired") == true)
        #expect(app.signIn.canSignIn && !app.signIn.isSignedIn)
        app.signIn.signIn()
        await until { app.list === list }
        await until { list.repositories.count == 100 }
        #expect(list.problem == nil && isPure(list))
    }

    @Test func `a grant that the server revoked, and another user signs in: nothing of the first user is left`() async throws {
        let bench = Bench()
        let (app, first) = try await bench.signedIn()
        bench.services.endGrants()
        await first.refresh()
        await until { app.isSignInShown && app.signIn.activity == nil }
        bench.person.now(.consents("mona"))
        app.signIn.signIn()
        let second = try await untilListed(app)
        #expect(second !== first && second.person.login == "mona" && second.repositories.isEmpty)
    }

    @Test func `another process signs out: the screen shows no user, and the list is gone`() async throws {
        let bench = Bench()
        let (app, list) = try await bench.signedIn()
        let other = try bench.otherProcess()
        try await other.restore()
        await other.signOut()
        await until { app.isSignInShown }
        #expect(app.signIn.problem == nil && app.signIn.canSignIn)
        try await bench.otherProcess().signIn()
        #expect(try await untilListed(app) !== list)
    }

    @Test func `does not request the user forever if the credential changes with each response`() async throws {
        let bench = Bench()
        bench.services.always(at: "/user", .waits(Door()))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        await bench.services.untilAsked("/user", 1)
        for count in 2...6 {
            try await bench.otherProcess(as: count.isMultiple(of: 2) ? "mona" : "octocat").signIn()
            if count < 6 { await bench.services.untilAsked("/user", count) }
        }
        await until { app.signIn.problem != nil }
        #expect(app.signIn.problem?.text == "Your sign-in at GitHub keeps changing." && app.signIn.canTryAgain)
        #expect(bench.services.count("/user") == 5)
        bench.services.always(at: "/user", .usual)
        await app.signIn.tryAgain()
        #expect(app.list?.person.login == "mona")
    }
}
