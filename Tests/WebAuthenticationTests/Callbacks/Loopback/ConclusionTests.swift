import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

/// After the program has reported the outcome, every browser that delivered the callback gets the page, once.
struct ConclusionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let page: CallbackPage
        let status: Int
        let title: String
    }

    @Test(arguments: [
        Row(testDescription: "signed in", page: .signedIn, status: 200, title: "<h1>Signed in</h1>"),
        Row(testDescription: "signed out", page: .signedOut, status: 200, title: "<h1>Signed out</h1>"),
        Row(testDescription: "failed", page: .failed("The server said no."), status: 400, title: "<p>The server said no.</p>"),
    ])
    func `AR05 the same callback twice has one outcome, and both browsers get the last page`(row: Row) async throws {
        let signIn = try await SignIn()
        let first = try await LoopbackClient(to: signIn.redirectURI)
        try await first.send(LoopbackClient.request("/callback?code=c&state=right", of: signIn.redirectURI))
        let received = try await signIn.outcome.get()
        // The response to a stray request after the second delivery proves that the delivery was read before the conclusion.
        let second = try await LoopbackClient(to: signIn.redirectURI)
        try await second.send(LoopbackClient.request("/callback?code=c&state=right", of: signIn.redirectURI))
        #expect(try await signIn.get("/favicon.ico").status == 404)
        await received.conclude(row.page)
        let pages = [Answer(try await first.untilClosed()), Answer(try await second.untilClosed())]
        #expect(pages.map(\.status) == [row.status, row.status])
        #expect(pages.allSatisfy { $0.body.contains(row.title) })
        #expect(try await signIn.get("/callback?code=c&state=right") == pages[0])
    }

    @Test func `AR05 another callback after the first is too late`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        let other = try await signIn.get("/callback?code=other&state=right")
        #expect(other.status == 400)
        #expect(other.body.contains("This sign-in is over"))
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `only the first conclusion counts`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        await received.conclude(.signedIn)
        await received.conclude(.failed("Too late."))
        #expect(try await page.status == 200)
        #expect(try await signIn.get("/callback?code=c&state=right").status == 200)
    }

    @Test func `AR46 the port is free a moment after the conclusion`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
        let open = try await LoopbackClient(to: signIn.redirectURI)
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(1))
        #expect(try await open.untilClosed() == "")
        #expect(await isFree(signIn.redirectURI))
    }

    @Test func `if a program never concludes, the browser gets a page that leaves the outcome open`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(60))
        #expect(try await page.body.contains("Back to the program"))
        await received.conclude(.signedIn)
        #expect(try await signIn.get("/callback?code=c&state=right").body.contains("Back to the program"))
    }
}
