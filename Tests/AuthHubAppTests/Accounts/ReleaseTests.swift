import AuthHub
import GitHubAPI
import Testing

@testable import AuthHubApp

/// Models are released with the window, whatever they are doing.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct ReleaseTests {
    private func expectReleased(_ body: (Bench) async throws -> AppModel) async throws {
        let bench = Bench()
        weak var app: AppModel?
        weak var account: AccountModel?
        weak var list: RepositoriesModel?
        do {
            let model = try await body(bench)
            app = model
            account = model.signIn.account
            list = model.list
        }
        while app != nil || account != nil || list != nil, !Task.isCancelled { await Task.yield() }
        #expect(app == nil)
        #expect(account == nil)
        #expect(list == nil)
    }

    @Test func `a model that is signed in`() async throws {
        try await expectReleased { bench in try await bench.signedIn().0 }
    }

    @Test func `a model that shows a sign-in page, which is closed`() async throws {
        let door = Door()
        try await expectReleased { bench in
            let app = try await bench.signingIn(at: door)
            return app
        }
    }

    @Test func `a model that requests the user`() async throws {
        try await expectReleased { bench in
            let door = Door()
            bench.services.next(at: "/user", .waits(door))
            let app = try bench.app()
            await app.restore()
            app.signIn.signIn()
            await door.untilReached()
            return app
        }
    }

    @Test func `a model that loads a page and a picture`() async throws {
        try await expectReleased { bench in
            let (page, picture) = (Door(), Door())
            bench.services.next(at: "/octocat", .waits(picture))
            let (app, list) = try await bench.signedIn()
            await picture.untilReached()
            bench.services.next(at: "/user/repos", .waits(page))
            list.loadMore()
            await page.untilReached()
            return app
        }
    }

    @Test func `a model that waits for pasted text`() async throws {
        try await expectReleased { bench in
            let app = try bench.app(Bench.aniList())
            await app.restore()
            app.signIn.signIn()
            await until { app.signIn.question != nil }
            return app
        }
    }
}
