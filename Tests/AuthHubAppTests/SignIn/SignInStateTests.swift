import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import GitHubAPI
import HTTPLoading
import HTTPTypes
import Testing
import WebAuthentication

@testable import AuthHubApp

/// The content of the first screen in each state of a session.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct SignInStateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var provider: @Sendable @MainActor () throws -> AppProvider = Bench.gitHubApp
        /// Puts an app into the state.
        let lead: @Sendable @MainActor (Bench, AppModel) async throws -> Void
        var activity: SignInModel.Activity?
        var isSignedIn = false
        /// The prefix of the problem's text.
        var problem: String?
        var advice: String?
        var remedy: AppProblem.Remedy?
        var buttons: Set<String> = []
        /// The gates to open so that the state can end.
        var doors: [Door] = []
    }

    private nonisolated static let atToken = "/login/oauth/access_token"
    private nonisolated static let atRevocation = "/applications/id/token"

    private static func signIn(_ bench: Bench, _ app: AppModel) async { await signIn(bench, app) { app.signIn.activity == nil } }

    private static func signIn(_ bench: Bench, _ app: AppModel, until condition: @MainActor () -> Bool) async {
        await app.restore()
        app.signIn.signIn()
        await until(condition)
    }

    nonisolated static let rows: [Row] = [
        Row(testDescription: "nothing requested yet", lead: { _, _ in }, buttons: ["sign in"]),
        Row(testDescription: "no one is signed in", lead: { _, app in await app.restore() }, buttons: ["sign in"]),
        {
            let door = Door()
            return Row(
                testDescription: "the store is being read",
                lead: { bench, app in
                    bench.store.holdReads(at: door)
                    Task { await app.restore() }
                    await door.untilReached()
                    await until { app.signIn.activity != nil }
                }, activity: .restoring, doors: [door])
        }(),
        Row(
            testDescription: "the store cannot be read",
            lead: { bench, app in
                bench.store.failReads(with: CredentialStoreError(.refused, "the folder belongs to somebody else"))
                await app.restore()
            }, problem: "Your sign-in cannot be saved or read.", advice: "The folder belongs to somebody else.", remedy: .tryAgain,
            buttons: ["sign in", "try again"]),
        {
            let door = Door()
            return Row(
                testDescription: "the page is shown",
                lead: { bench, app in
                    bench.person.now(.waits(door))
                    await signIn(bench, app) { app.signIn.activity == .waitingForPerson }
                    await door.untilReached()
                }, activity: .waitingForPerson, buttons: ["cancel"], doors: [door])
        }(),
        {
            let door = Door()
            return Row(
                testDescription: "the code is being exchanged",
                lead: { bench, app in
                    bench.services.next(at: atToken, .waits(door))
                    await signIn(bench, app) { app.signIn.activity == .finishing }
                }, activity: .finishing, doors: [door])
        }(),
        {
            let door = Door()
            return Row(
                testDescription: "the user is being requested",
                lead: { bench, app in
                    bench.services.next(at: "/user", .waits(door))
                    await signIn(bench, app) { app.signIn.activity == .arriving }
                }, activity: .arriving, isSignedIn: true, doors: [door])
        }(),
        {
            let door = Door()
            return Row(
                testDescription: "a sign-out is being sent to the service",
                lead: { bench, app in
                    bench.services.next(at: atRevocation, .waits(door))
                    await signIn(bench, app) { app.list != nil }
                    Task { await app.list?.signOut() }
                    await door.untilReached()
                    await until { app.isSignInShown }
                }, activity: .signingOut, doors: [door])
        }(),
        Row(
            testDescription: "the user closed the page",
            lead: { bench, app in
                bench.person.now(.closes)
                await signIn(bench, app)
            }, problem: "You closed the sign-in page.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "the user denied access",
            lead: { bench, app in
                bench.person.now(.refuses)
                await signIn(bench, app)
            }, problem: "GitHub denied the app access.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "the sign-in timed out",
            lead: { bench, app in
                bench.person.now(.fails(WebAuthenticationError(.timedOut)))
                await signIn(bench, app)
            }, problem: "The sign-in was not finished in time.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "there is no browser",
            lead: { bench, app in
                bench.person.now(.fails(WebAuthenticationError(.cannotShow, "no browser is installed")))
                await signIn(bench, app)
            }, problem: "The sign-in page cannot be shown.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "the service cannot be reached with the code",
            lead: { bench, app in
                bench.services.next(at: atToken, .failure(.cannotConnect))
                await signIn(bench, app)
            }, problem: "GitHub cannot be reached.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "the service does not know the client",
            lead: { bench, app in
                bench.services.next(at: atToken, .answer(200, ["error": "incorrect_client_credentials"]))
                await signIn(bench, app)
            }, problem: "GitHub did not respond as expected.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "the network is lost before the user is known",
            lead: { bench, app in
                bench.services.next(at: "/user", .failure(.cannotConnect))
                await signIn(bench, app) { app.signIn.problem != nil }
            }, isSignedIn: true, problem: "GitHub cannot be reached.", remedy: .tryAgain, buttons: ["try again", "sign out"]),
        Row(
            testDescription: "the connection is not secure",
            lead: { bench, app in
                bench.services.next(at: "/user", .failure(.notSecure))
                await signIn(bench, app) { app.signIn.problem != nil }
            }, isSignedIn: true, problem: "The connection to GitHub is not secure", remedy: .tryAgain, buttons: ["try again", "sign out"]),
        Row(
            testDescription: "rate limited before the user is known",
            lead: { bench, app in
                bench.services.next(at: "/user", .answer(429, ["message": "slow down"], [.retryAfter: "90"]))
                await signIn(bench, app) { app.signIn.problem != nil }
            }, isSignedIn: true, problem: "GitHub received too many requests", remedy: .tryAgain, buttons: ["try again", "sign out"]),
        Row(
            testDescription: "the token is rejected, and cannot be refreshed", provider: Bench.gitHub,
            lead: { bench, app in
                bench.services.configure { ($0.lifetime, $0.sendsRefreshTokens) = (nil, false) }
                bench.services.next(at: "/user", .answer(401, ["message": "Bad credentials"]))
                await signIn(bench, app) { app.signIn.problem != nil }
            }, isSignedIn: true, problem: "GitHub no longer accepts your sign-in.", remedy: .signIn, buttons: ["sign in", "sign out"]),
        Row(
            testDescription: "the service has revoked the stored grant",
            lead: { bench, app in
                try await bench.otherProcess().signIn()
                bench.services.endGrants()
                await app.restore()
                await until { app.signIn.problem != nil }
            }, problem: "Your sign-in at GitHub is no longer valid.", remedy: .signIn, buttons: ["sign in"]),
        Row(
            testDescription: "a sign-out could not be sent to the service",
            lead: { bench, app in
                bench.services.always(at: atRevocation, .failure(.cannotConnect))
                await signIn(bench, app) { app.list != nil }
                await app.list?.signOut()
            }, problem: "You are signed out here, but GitHub could not be notified.", remedy: AppProblem.Remedy.none, buttons: ["sign in"]),
        Row(
            testDescription: "the sign-in could not be deleted",
            lead: { bench, app in
                bench.store.failDeletions(with: CredentialStoreError(.failed, "the disk is full"))
                await signIn(bench, app) { app.list != nil }
                await app.list?.signOut()
            }, problem: "You are still signed in at GitHub: your tokens could not be deleted from this device.", remedy: .tryAgain,
            buttons: ["sign in", "try again"]),
    ]

    @Test(arguments: rows)
    func `the session's state determines the activity, the problem and the buttons that are shown`(row: Row) async throws {
        let bench = Bench()
        let app = try bench.app(try row.provider())
        try await row.lead(bench, app)
        let signIn = app.signIn
        #expect(app.isSignInShown)
        #expect(signIn.activity == row.activity)
        #expect(signIn.isSignedIn == row.isSignedIn)
        #expect(signIn.problem?.text.hasPrefix(row.problem ?? "?") ?? (row.problem == nil), "\(String(describing: signIn.problem))")
        #expect(row.advice == nil || signIn.problem?.advice == row.advice)
        #expect(signIn.problem?.remedy == row.remedy)
        if let problem = signIn.problem { #expect(problem.advice.hasSuffix("."), "\(problem.advice)") }
        let buttons = [
            "sign in": signIn.canSignIn, "cancel": signIn.canCancel, "try again": signIn.canTryAgain, "sign out": signIn.canSignOut,
            "choose": signIn.canChoose,
        ]
        #expect(Set(buttons.filter(\.value).keys) == row.buttons)
        for door in row.doors { door.open() }
        bench.store.holdReads(at: nil)
    }

    @Test func `the screen says why the user is asked`() throws {
        let bench = Bench()
        #expect(try bench.app().signIn.reason == "To list your repositories, the app needs your permission to read them at GitHub.")
        #expect(try bench.app(Bench.aniList()).signIn.reason.contains("your permission to read your profile at AniList"))
    }

    struct ActivityRow: CustomTestStringConvertible, Sendable {
        let activity: SignInModel.Activity
        let text: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        ActivityRow(activity: .restoring, text: "Loading your account…"),
        ActivityRow(activity: .waitingForPerson, text: "Waiting for you in the browser…"),
        ActivityRow(activity: .finishing, text: "Finishing the sign-in…"),
        ActivityRow(activity: .arriving, text: "Fetching your account…"),
        ActivityRow(activity: .signingOut, text: "Signing out…"),
    ])
    func `describes the current activity in a few words`(row: ActivityRow) {
        #expect(row.activity.text == row.text)
    }

    @Test func `a second sign-in cannot start while one is in progress`() async throws {
        let bench = Bench()
        let door = Door()
        bench.person.now(.waits(door))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        #expect(app.signIn.activity == .waitingForPerson, "at once, not when the page is there")
        app.signIn.signIn()
        await door.untilReached()
        app.signIn.signIn()
        door.open()
        _ = try await untilListed(app)
        #expect(bench.person.browser.visitedURLs.count == 1)
    }

    @Test func `after each problem the next sign-in works`() async throws {
        let bench = Bench()
        let app = try bench.app()
        await app.restore()
        for deed in [PersonAtBrowser.Deed.closes, .refuses, .fails(WebAuthenticationError(.cannotShow, "no browser"))] {
            bench.person.now(deed)
            app.signIn.signIn()
            #expect(app.signIn.problem == nil)
            await until { app.signIn.problem != nil }
        }
        bench.person.now(.consents("mona"))
        app.signIn.signIn()
        #expect(try await untilListed(app).person.login == "mona")
        #expect(app.signIn.problem == nil)
    }

    @Test func `cancelling while the page is shown closes it, without a message`() async throws {
        let bench = Bench()
        let door = Door()
        let app = try await bench.signingIn(at: door)
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.problem == nil)
        #expect(app.signIn.canSignIn && app.isSignInShown)
        #expect(bench.services.count(Self.atToken) == 0)
    }

    @Test func `cancelling after the user has finished signs in all the same`() async throws {
        let bench = Bench()
        let door = Door()
        bench.services.next(at: Self.atToken, .waits(door))
        let app = try bench.app()
        await app.restore()
        app.signIn.signIn()
        await until { app.signIn.activity == .finishing }
        app.signIn.cancel()
        #expect(app.signIn.activity == .finishing)
        door.open()
        #expect(try await untilListed(app).person.login == "octocat")
    }

    @Test func `retries what could not be read or deleted`() async throws {
        let bench = Bench()
        let app = try bench.app()
        bench.store.failReads(with: CredentialStoreError(.failed, "the disk is gone"))
        await app.restore()
        await app.signIn.tryAgain()
        #expect(app.signIn.canTryAgain)
        bench.store.failReads(with: nil)
        await app.signIn.tryAgain()
        #expect(app.signIn.problem == nil)
        app.signIn.signIn()
        let list = try await untilListed(app)
        bench.store.failDeletions(with: CredentialStoreError(.failed, "the disk is full"))
        await list.signOut()
        bench.store.failDeletions(with: nil)
        await app.signIn.tryAgain()
        #expect(app.signIn.problem == nil && app.signIn.canSignIn)
        #expect(try await bench.store.accounts().isEmpty)
        #expect(bench.services.count(Self.atRevocation) == 1)
    }

    @Test func `the server is down at the start: still signed in, and a retry shows the user`() async throws {
        let bench = Bench()
        try await bench.otherProcess().signIn()
        bench.services.always(at: "/user", .failure(.cannotConnect))
        let app = try bench.app()
        await app.restore()
        await until { app.signIn.problem != nil }
        #expect(app.signIn.isSignedIn)
        await app.signIn.tryAgain()
        #expect(app.signIn.canTryAgain)
        bench.services.always(at: "/user", .usual)
        await app.signIn.tryAgain()
        #expect(app.list?.person.login == "octocat")
        #expect(app.signIn.problem == nil)
    }
}
