import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

/// Runs the code of the guide "Testing without a network" unchanged.
struct TestingWithoutANetworkTests {
    // snippet: testing-script
    @Test func `retries a temporary status`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport([
            .init(.get("/notes"), .status(.serviceUnavailable)),
            .init(.get("/notes"), .json(["n": 1])),
        ]) { Issue.record($0) }
        let chain = try Chain(transport: transport, clock: LoadClock(clock)) { RetryLoader() }
        let response = try await clock.run { try await chain.load(.get("https://api.example.com/notes")) }
        #expect(response.notes.attempts == 2)
        try transport.verifyFinished()
    }
    // end

    @Test func `routes answer in any order`() async throws {
        // snippet: testing-routes
        let transport = RoutedTransport(
            [
                (.get("/notes"), .json([])),
                (RequestMatcher.post("/notes").and("a type") { $0.body.contentType == "application/json" }, .status(.created)),
            ], unrouted: .fails)
        // end
        #expect(try await transport.send(.post("https://api.example.com/notes", body: .json([]))).status == .created)
        #expect(try await transport.send(.get("https://api.example.com/notes")).status == .ok)
    }

    // snippet: testing-race
    @Test func `a cancelled request ends immediately`() async throws {
        let held = HeldAnswer()
        let transport = RoutedTransport([(.get("/notes"), .held(held))])
        let chain = try Chain(transport: transport)
        let first = Task { try await chain.load(.get("https://api.example.com/notes")) }
        await transport.untilRequested()
        first.cancel()
        let error = await #expect(throws: LoadError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        held.release(.status(.ok))
    }
    // end

    // snippet: testing-clock
    @Test func `a request ends at its deadline`() async throws {
        let clock = TestClock()
        let chain = try Chain(transport: RoutedTransport([(.any, .never)]), clock: LoadClock(clock)) { DeadlineLoader(.seconds(30)) }
        let loading = Task { try await chain.load(.get("https://api.example.com/notes")) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .timedOut)
    }
    // end

    @Test func `faults are injected`() async throws {
        let server = RoutedTransport([(.any, .status(.ok, body: Array("12345".utf8)))])
        // snippet: testing-faults
        let transport = FaultInjectingTransport(
            server, seed: 7,
            [
                Fault(.failure(.cannotConnect), call: 1),
                Fault(.lost(afterBytes: 3), call: 2),
                Fault(.answer(.status(.serviceUnavailable)), of: .get("/notes"), chance: 0.1),
            ])
        // end
        let chain = try Chain(transport: transport)
        let error = await #expect(throws: LoadError.self) { try await chain.load(.get("https://api.example.com/a")) }
        #expect(error?.code == .cannotConnect)
        let body = try await chain.load(.get("https://api.example.com/a")).body
        let lost = await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(lost?.code == .connectionLost)
    }
}
