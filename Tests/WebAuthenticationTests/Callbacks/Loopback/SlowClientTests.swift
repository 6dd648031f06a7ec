import AuthHubPrimitives
import AuthHubTesting
import NIOCore
import Testing

@testable import WebAuthentication

/// Slow, silent or numerous clients do not affect the one with the callback.
struct SlowClientTests {
    @Test func `AR46 silent and incomplete connections do not keep the callback out`() async throws {
        let signIn = try await SignIn()
        let silent = try await LoopbackClient(to: signIn.redirectURI)
        let halfSent = try await LoopbackClient(to: signIn.redirectURI)
        try await halfSent.send("GET /callback?code=c&state=right HTTP/1.1\r\nHo")
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
        silent.close()
        halfSent.close()
    }

    @Test(arguments: ["", "GET /callback?code=c&state=right HTTP/1.1\r\nHo"])
    func `AR46 drops an incomplete request`(start: String) async throws {
        var limits = LoopbackLimits()
        limits.request = .milliseconds(50)
        let listener = try await LoopbackListener.bind(port: 0, path: "/callback", limits: limits, clock: TestClock())
        let client = try await LoopbackClient(to: listener.redirectURI)
        // If this test is slow, the connection is closed before it has sent anything.
        try? await client.send(start)
        #expect(try await client.untilClosed() == "")
        await listener.close()
    }

    @Test func `evicts the oldest silent connection beyond the limit`() async throws {
        var limits = LoopbackLimits()
        limits.connections = 2
        let listener = try await LoopbackListener.bind(port: 0, path: "/callback", limits: limits, clock: TestClock())
        let oldest = try await LoopbackClient(to: listener.redirectURI)
        let second = try await LoopbackClient(to: listener.redirectURI)
        #expect(try await LoopbackClient.get("/", of: listener.redirectURI).status == 404)
        #expect(try await oldest.untilClosed() == "")
        second.close()
        await listener.close()
    }

    @Test func `a client that has closed its sending half still gets its page`() async throws {
        let signIn = try await SignIn()
        let text = LoopbackClient.request("/callback?code=c&state=right", of: signIn.redirectURI, fields: "Content-Length: 100\r\n")
        async let page = LoopbackClient.send(text + "cut off", to: signIn.redirectURI)
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }
}
