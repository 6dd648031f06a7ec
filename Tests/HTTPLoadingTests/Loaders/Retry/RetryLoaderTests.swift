import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct RetryLoaderTests {
    private static let immediate = RetryPolicy(backoff: .immediate)
    private static let url = "https://api.example.com/"

    @Test func `retries until an attempt succeeds, and records how often and how long it paused`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport([
            .init(.get("/"), .failure(.cannotConnect)), .init(.get("/"), .status(.serviceUnavailable, body: [1])),
            .init(.get("/"), .status(.ok, body: [2, 3])),
        ])
        let chain = try Chain(
            transport: transport, clock: LoadClock(clock), [RetryLoader(RetryPolicy(backoff: .delays([.seconds(1), .seconds(5)])))])
        async let loading = chain.load(.get(Self.url))
        await clock.untilAsleep()
        clock.advance(by: .seconds(1))
        await clock.untilAsleep()
        #expect(transport.requests.count == 2)
        clock.advance(by: .seconds(5))
        let response = try await loading
        #expect(try await response.body.collect(upTo: 10) == [2, 3])
        #expect(response.notes.attempts == 3 && response.notes.timings.pausing == .seconds(6))
        #expect(Set(transport.requests.map(\.id)).count == 1)
        try transport.verifyFinished()
    }

    @Test func `returns the last response unchanged`() async throws {
        let transport = ScriptedTransport((1...3).map { .init(.any, .status(.badGateway, body: [$0])) })
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(.get(Self.url))
        #expect(response.status == .badGateway && response.notes.attempts == 3)
        #expect(try await response.body.collect(upTo: 10) == [3])
        try transport.verifyFinished()
    }

    @Test func `does not repeat a redirected POST because the next hop fails`() async throws {
        let transport = ScriptedTransport([
            .init(.post("/"), .redirect(.seeOther, to: "/note")), .init(.get("/note"), .failure(.cannotConnect)),
        ])
        let chain = try Chain(transport: transport, [RetryLoader(Self.immediate), RedirectLoader()])
        let error = await #expect(throws: LoadError.self) { try await chain.load(.post(Self.url, body: .empty)) }
        #expect(error?.code == .cannotConnect && error?.mayHaveBeenSent == true)
        try transport.verifyFinished()
    }

    struct Earlier: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let mayHaveBeenSent: Bool
    }

    @Test(arguments: [
        Earlier(testDescription: "a lost connection", answer: .failure(.connectionLost), mayHaveBeenSent: true),
        Earlier(testDescription: "a response", answer: .status(.badGateway), mayHaveBeenSent: true),
        Earlier(testDescription: "no connection", answer: .failure(.cannotConnect), mayHaveBeenSent: false),
    ])
    func `an error says whether an earlier attempt may have been sent`(earlier: Earlier) async throws {
        let transport = ScriptedTransport([
            .init(.any, earlier.answer), .init(.any, .failure(.cannotConnect)), .init(.any, .failure(.cannotConnect)),
        ])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(LoadRequest(.put, Self.url))
        }
        #expect(error?.code == .cannotConnect && error?.mayHaveBeenSent == earlier.mayHaveBeenSent)
        try transport.verifyFinished()
    }

    @Test func `returns the last error`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.badGateway)), .init(.any, .failure(.notSecure))])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(.get(Self.url))
        }
        #expect(error?.code == .notSecure)
        try transport.verifyFinished()
    }

    @Test(arguments: [2, Int.max])
    func `reads the body of an intermediate response to its end, or releases it if that is far, before the pause`(chunks: Int) async throws
    {
        let clock = TestClock()
        let hasEnded = Mutex(false), reads = Mutex(0)
        let failing = ScriptedAnswer { _ throws(LoadError) in
            let body = ResponseBody { () async throws(LoadError) in
                let read = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                return read > chunks ? nil : ArraySlice(repeating: 0, count: 20_000)
            }
            body.whenEnded { hasEnded.withLock { $0 = true } }
            return LoadResponse(HTTPResponse(status: .serviceUnavailable), body: body)
        }
        let transport = ScriptedTransport([.init(.any, failing), .init(.any, .status(.ok))])
        let policy = RetryPolicy(backoff: .constant(.seconds(1)))
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [RetryLoader(policy)])
        async let loading = chain.load(.get(Self.url))
        await clock.untilAsleep()
        #expect(hasEnded.withLock { $0 })
        #expect(reads.withLock { $0 } == min(chunks, 3) + 1)
        clock.advance(by: .seconds(1))
        #expect(try await loading.status == .ok)
    }

    @Test func `a request's own policy takes precedence over the loader's`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.badGateway))])
        var request = try LoadRequest.get(Self.url)
        request.options[RetryPolicy.self] = .never
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(request)
        #expect(response.status == .badGateway && response.notes.attempts == 1)
    }

    @Test func `a custom condition takes precedence over the standard one, but not if an error is final`() async throws {
        let policy = RetryPolicy(maximumAttempts: 5, backoff: .immediate) { _ in true }
        let transport = ScriptedTransport([
            .init(.any, .status(.accepted)), .init(.any, .failure(.connectionLost)), .init(.any, .failure(.notAuthorized)),
        ])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RetryLoader(policy)]).load(.post(Self.url, body: .empty))
        }
        #expect(error?.code == .notAuthorized)
        try transport.verifyFinished()
    }

    @Test(arguments: [LoadError.Code.connectionLost, .timedOut])
    func `case 27: does not repeat a POST that may have been sent`(code: LoadError.Code) async throws {
        let transport = ScriptedTransport([.init(.post("/token"), .failure(code))])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RetryLoader(Self.immediate)])
                .load(.post("https://api.example.com/token", body: .form(["grant_type": "refresh_token"])))
        }
        #expect(error?.code == code)
        try transport.verifyFinished()
    }

    @Test func `case 27: does not repeat a POST that the server answered with an error`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.serviceUnavailable, headers: [.retryAfter: "1"]))])
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(.post(Self.url, body: .bytes([1])))
        #expect(response.status == .serviceUnavailable)
    }

    @Test func `repeats a POST with an idempotency key, with the same key and the same bytes`() async throws {
        let server = BodyReader()
        let transport = ScriptedTransport([
            .init(.any, server.answer(.failure(.connectionLost))),
            .init(.any, server.answer(.status(.badGateway))),
            .init(.any, server.answer(.status(.created))),
        ])
        var request = try LoadRequest.post(Self.url, body: .json(["amount": 1]))
        request.options[IdempotencyKey.self] = .random()
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(request)
        #expect(response.status == .created)
        let keys = try transport.requests.map { try $0.head.headerFields[#require(HTTPField.Name("Idempotency-Key"))] }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys[0] != nil)
        #expect(server.bodies == Array(repeating: Array(#"{"amount":1}"#.utf8), count: 3))
    }

    @Test func `case 25: resends a body that is created for each attempt byte for byte`() async throws {
        let server = BodyReader()
        let transport = ScriptedTransport([
            .init(.any, server.answer(.failure(.connectionLost))),
            .init(.any, server.answer(.status(.ok))),
        ])
        let chunks: [ArraySlice<UInt8>] = [[1, 2], [], [3], ArraySlice(repeating: 4, count: 70_000)]
        let body = RequestBody.stream { () async throws(LoadError) in
            let rest = Mutex(chunks[...])
            return ByteStream { () async throws(LoadError) in rest.withLock { $0.popFirst() } }
        }
        _ = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(LoadRequest(.put, Self.url, body: body))
        #expect(server.bodies == [chunks.flatMap(\.self), chunks.flatMap(\.self)])
    }

    @Test func `case 25: sends a body that can be sent only once a single time, and returns the outcome`() async throws {
        let server = BodyReader()
        let transport = ScriptedTransport([.init(.any, server.answer(.status(.serviceUnavailable)))])
        let request = try LoadRequest(.put, Self.url, body: .stream(once: .bytes([1, 2])))
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(request)
        #expect(response.status == .serviceUnavailable)
        #expect(server.bodies == [[1, 2]])
        try transport.verifyFinished()
    }

    @Test func `case 25: sends a body that can be sent only once with the second attempt if the first did not read it`() async throws {
        let server = BodyReader()
        let transport = ScriptedTransport([
            .init(.any, .failure(.cannotConnect)), .init(.any, server.answer(.status(.ok))),
        ])
        let request = try LoadRequest.post(Self.url, body: .stream(once: .bytes([1, 2])))
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate)]).load(request)
        #expect(response.status == .ok)
        #expect(server.bodies == [[1, 2]])
    }

    @Test func `an attempt starts at the first URL, and the record contains the redirects of all attempts`() async throws {
        let transport = ScriptedTransport([
            .init(.get("https://a.example/"), .redirect(.found, to: "https://b.example/")),
            .init(.get("https://b.example/"), .status(.serviceUnavailable)),
            .init(.get("https://a.example/"), .redirect(.found, to: "https://c.example/")),
            .init(.get("https://c.example/"), .status(.ok)),
        ])
        let response = try await Chain(transport: transport, [RetryLoader(Self.immediate), RedirectLoader()]).load(
            .get("https://a.example/"))
        #expect(response.notes.redirects.map(\.host) == ["b.example", "c.example"])
        #expect(response.notes.attempts == 2)
        try transport.verifyFinished()
    }

    @Test func `loaders behind see the number of the attempt`() async throws {
        struct Watcher: Loader {
            let see: @Sendable (Int) -> Void
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                see(next.attempt)
                return try await next(request)
            }
        }
        let attempts = Mutex<[Int]>([])
        let transport = ScriptedTransport((1...3).map { _ in .init(.any, .status(.badGateway)) })
        let watcher = Watcher { attempt in attempts.withLock { $0.append(attempt) } }
        _ = try await Chain(transport: transport, [RetryLoader(Self.immediate), watcher]).load(.get(Self.url))
        #expect(attempts.withLock { $0 } == [1, 2, 3])
    }

    @Test func `case 35: waits for a Retry-After within the limit, and returns the response at once beyond it`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport([
            .init(.any, .status(.tooManyRequests, headers: [.retryAfter: "30"])),
            .init(.any, .status(.tooManyRequests, headers: [.retryAfter: "86400"])),
        ])
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [RetryLoader(Self.immediate)])
        async let loading = chain.load(.get(Self.url))
        await clock.untilAsleep()
        clock.advance(by: .seconds(30))
        let response = try await loading
        #expect(response.status == .tooManyRequests && response.notes.attempts == 2)
        #expect(response.notes.timings.pausing == .seconds(30))
        #expect(clock.sleeperCount == 0)
    }
}

/// A server that reads the bodies of requests before it responds.
final class BodyReader: Sendable {
    private let read = Mutex<[[UInt8]]>([])

    var bodies: [[UInt8]] { read.withLock { $0 } }

    func answer(_ answer: ScriptedAnswer) -> ScriptedAnswer {
        let answering = ScriptedTransport([.init(.any, answer)])
        return ScriptedAnswer { [self] request throws(LoadError) in
            var bytes: [UInt8] = []
            for try await chunk in try await request.body.open() { bytes += chunk }
            read.withLock { [bytes] in $0.append(bytes) }
            return try await answering.send(request)
        }
    }
}
