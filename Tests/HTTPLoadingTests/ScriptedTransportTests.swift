import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct ScriptedTransportTests {
    @Test func `a script that is played as written is fine`() async throws {
        let transport = ScriptedTransport([
            .init(.get("/a"), .json(["x": 1])), .init(.post("https://example.com/b"), .failure(.timedOut)),
        ])
        let response = try await transport.send(.get("https://example.com/a?q"))
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(try await response.body.collect(upTo: 100) == Array(#"{"x":1}"#.utf8))
        let error = await #expect(throws: LoadError.self) { try await transport.send(.post("https://example.com/b", body: .empty)) }
        #expect(error?.code == .timedOut)
        try transport.verifyFinished()
    }

    @Test func `an unexpected request fails at once and at the end`() async throws {
        let transport = ScriptedTransport([.init(.get("/a"), .status(.ok))])
        let error = await #expect(throws: LoadError.self) { try await transport.send(.get("https://example.com/b?token=canary")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "expected GET /a, but GET https://example.com/b came")
        _ = try await transport.send(.get("https://example.com/a"))
        await #expect(throws: LoadError.self) { try await transport.send(.get("https://example.com/a")) }
        let difference = #expect(throws: ScriptError.self) { try transport.verifyFinished() }
        #expect(difference?.unexpected.count == 2 && difference?.unused == [])
        #expect(transport.requests.count == 3)
    }

    @Test func `an answer nobody asked for fails at the end`() throws {
        let transport = ScriptedTransport([.init(.get("/a").and("a token") { _ in false }, .status(.ok))])
        let difference = #expect(throws: ScriptError.self) { try transport.verifyFinished() }
        #expect(difference?.description == "expected GET /a with a token, but it never came")
    }

    @Test func `routes answer in any order, and nothing else is found`() async throws {
        let transport = RoutedTransport([(.get("/a"), .status(.ok)), (.get("/b"), .status(.created))])
        #expect(try await transport.send(.get("https://example.com/b")).status == .created)
        #expect(try await transport.send(.get("https://example.com/a")).status == .ok)
        #expect(try await transport.send(.get("https://example.com/c")).status == .notFound)
    }
}
