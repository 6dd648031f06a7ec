import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct FaultInjectingTransportTests {
    private static let body = Array("0123456789".utf8)
    private let server = RoutedTransport([(.get("/a"), .status(.ok, body: body)), (.get("/b"), .status(.created))])

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: Fault
        /// The results of four requests for /a, /b, /a and /b.
        let outcomes: [String]
        /// How many of them reach the server.
        let sent: Int
    }

    @Test(arguments: [
        Row(
            testDescription: "the first call fails, and is not sent", fault: Fault(.failure(.cannotConnect), call: 1),
            outcomes: ["cannot_connect", "201", "200", "201"], sent: 3),
        Row(
            testDescription: "the second request for /b", fault: Fault(.failure(.timedOut), call: 2, of: .get("/b")),
            outcomes: ["200", "201", "200", "timed_out"], sent: 3),
        Row(
            testDescription: "the middle calls get a status instead", fault: Fault(.answer(.status(.serviceUnavailable)), calls: 2...3),
            outcomes: ["200", "503", "503", "201"], sent: 2),
        Row(
            testDescription: "lost after sending: the server has received it", fault: Fault(.lostAfterSending, call: 1),
            outcomes: ["connection_lost", "201", "200", "201"], sent: 4),
        Row(
            testDescription: "probability 0: never", fault: Fault(.failure(.timedOut), chance: 0), outcomes: ["200", "201", "200", "201"],
            sent: 4),
        Row(
            testDescription: "probability 1: always", fault: Fault(.failure(.timedOut), of: .get("/a"), chance: 1),
            outcomes: ["timed_out", "201", "timed_out", "201"], sent: 2),
    ])
    func `a fault affects the calls that it names and no others`(row: Row) async throws {
        let transport = FaultInjectingTransport(server, [row.fault])
        var outcomes: [String] = []
        for path in ["/a", "/b", "/a", "/b"] { outcomes.append(await outcome(of: transport, path)) }
        #expect(outcomes == row.outcomes)
        #expect(server.requests.count == row.sent)
        #expect(transport.injectedFaults == zip(outcomes, ["200", "201", "200", "201"]).count { $0 != $1 })
    }

    @Test(arguments: [0, 4, 10, 1000])
    func `a body breaks off after the given number of bytes`(count: Int) async throws {
        let transport = FaultInjectingTransport(server, [Fault(.lost(afterBytes: count))])
        let response = try await transport.send(.get("https://example.com/a"))
        #expect(response.status == .ok)
        var bytes: [UInt8] = []
        let error = await #expect(throws: LoadError.self) {
            for try await chunk in response.body { bytes += chunk }
        }
        #expect(error?.code == .connectionLost)
        #expect(bytes == Array(Self.body.prefix(count)))
    }

    @Test func `delays and slow bodies use the test clock`() async throws {
        let clock = TestClock()
        let transport = FaultInjectingTransport(
            server, clock: LoadClock(clock), [Fault(.delay(.seconds(7)), call: 1), Fault(.slow(chunk: 4, every: .seconds(1)), call: 1)])
        let chunks = try await clock.run {
            var chunks: [[UInt8]] = []
            for try await chunk in try await transport.send(.get("https://example.com/a")).body { chunks.append(Array(chunk)) }
            return chunks
        }
        #expect(chunks == [Array("0123".utf8), Array("4567".utf8), Array("89".utf8)])
        // Seven seconds before the request, one second for each chunk, and one for the end.
        #expect(clock.now.offset == .seconds(11))
        #expect(try await transport.send(.get("https://example.com/a")).body.collect(upTo: 100) == Self.body)
        #expect(clock.now.offset == .seconds(11))
    }

    @Test func `a request that is cancelled during a delay is not sent`() async throws {
        let clock = TestClock()
        let transport = FaultInjectingTransport(server, clock: LoadClock(clock), [Fault(.delay(.seconds(7)))])
        let sending = Task { try await transport.send(.get("https://example.com/a")) }
        await clock.untilAsleep()
        sending.cancel()
        let error = await #expect(throws: LoadError.self) { try await sending.value }
        #expect(error?.code == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test func `the same seed repeats random decisions, and another one decides differently`() async throws {
        func outcomes(seed: UInt64) async -> [String] {
            let transport = FaultInjectingTransport(server, seed: seed, [Fault(.failure(.timedOut), chance: 0.5)])
            var outcomes: [String] = []
            for _ in 0..<64 { outcomes.append(await outcome(of: transport, "/a")) }
            return outcomes
        }
        let first = await outcomes(seed: 1)
        #expect(await outcomes(seed: 1) == first)
        #expect(await outcomes(seed: 2) != first)
        #expect((10...54).contains(first.count { $0 == "200" }))
    }

    private func outcome(of transport: some Transport, _ path: String) async -> String {
        do throws(LoadError) {
            return "\(try await transport.send(.get("https://example.com\(path)")).status.code)"
        } catch {
            return "\(error.code)"
        }
    }
}
