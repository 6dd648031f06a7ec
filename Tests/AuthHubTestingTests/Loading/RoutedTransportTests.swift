import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct RoutedTransportTests {
    private let routes: [(RequestMatcher, ScriptedAnswer)] = [(.get("/a"), .status(.ok)), (.get("/b"), .status(.created))]

    @Test func `routes respond in any order and number, and nothing else is found`() async throws {
        let transport = RoutedTransport(routes)
        for (path, status) in [("/b", HTTPResponse.Status.created), ("/a", .ok), ("/b", .created)] {
            #expect(try await transport.send(.get("https://example.com\(path)")).status == status)
        }
        try transport.verifyRouted()
        #expect(try await transport.send(.get("https://example.com/c?token=canary")).status == .notFound)
        #expect(transport.requests.compactMap(\.head.path) == ["/b", "/a", "/b", "/c?token=canary"])
        let difference = #expect(throws: ScriptError.self) { try transport.verifyRouted() }
        #expect(difference?.description == "no route for GET https://example.com/c")
    }

    @Test func `a request without a route fails where the test wants it`() async throws {
        let transport = RoutedTransport(routes, unrouted: .fails)
        let error = await #expect(throws: LoadError.self) { try await transport.send(.post("https://example.com/a", body: .empty)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "no route for POST https://example.com/a")
        #expect(throws: ScriptError.self) { try transport.verifyRouted() }
    }

    @Test func `a test can wait for the second request while the first is in progress`() async throws {
        let held = HeldAnswer()
        let transport = RoutedTransport([(.any, .held(held))])
        async let first = transport.send(.get("https://example.com/a")).status
        async let second = transport.send(.get("https://example.com/b")).status
        await transport.untilRequested(2)
        held.release()
        #expect(try await [first, second] == [.ok, .ok])
        // Later requests get the released response immediately.
        #expect(try await transport.send(.get("https://example.com/c")).status == .ok)
    }
}
