import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct RateLimitLoaderTests {
    private let clock = TestClock()

    private func chain(_ transport: some Transport, _ loaders: any Loader...) throws -> Chain {
        try Chain(transport: transport, clock: LoadClock(clock), loaders)
    }

    private static func get(_ url: String = "https://example.com/") throws -> LoadRequest { try .get(url) }

    private static func exhausted(for seconds: Int) -> ScriptedAnswer {
        .status(.ok, headers: [.init("RateLimit-Remaining"): "0", .init("RateLimit-Reset"): "\(seconds)"])
    }

    @Test func `requests start at the rate, in order of arrival, and the wait is recorded`() async throws {
        let transport = ScriptedTransport((0..<4).map { .init(.get("/\($0)"), .status(.ok)) })
        let chain = try chain(transport, RateLimitLoader(Rate(1, per: .seconds(10))))
        #expect(try await chain.load(Self.get("https://example.com/0")).notes.timings.waiting == .zero)
        var loads: [Task<LoadResponse, any Error>] = []
        for index in 1..<4 {
            loads.append(Task { try await chain.load(Self.get("https://example.com/\(index)")) })
            await clock.untilAsleep(index)
        }
        for (index, load) in loads.enumerated() {
            #expect(transport.requests.count == index + 1)
            clock.advance(by: .seconds(10))
            #expect(try await load.value.notes.timings.waiting == .seconds(10 * (index + 1)))
        }
        try transport.verifyFinished()
    }

    @Test func `a request that would have to wait too long fails at once, unsent`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try chain(transport, RateLimitLoader(Rate(1, per: .seconds(61))))
        _ = try await chain.load(Self.get())
        let error = await #expect(throws: LoadError.self) { try await chain.load(Self.get("https://example.com/canary")) }
        #expect(error?.code == .rateLimited)
        #expect(error?.mayHaveBeenSent == false)
        #expect(error.map { dumped($0).contains("canary") } == false)
        #expect(transport.requests.count == 1)
    }

    @Test func `a request whose deadline is earlier than its turn fails at once`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.ok))])
        let chain = try chain(transport, DeadlineLoader(.seconds(5)), RateLimitLoader(Rate(1, per: .seconds(10))))
        _ = try await chain.load(Self.get())
        let error = await #expect(throws: LoadError.self) { try await chain.load(Self.get()) }
        #expect(error?.code == .rateLimited)
        clock.advance(by: .seconds(10))
        #expect(try await chain.load(Self.get()).status == .ok)
    }

    @Test func `returns a 429, and pauses later requests to its origin only`() async throws {
        let transport = ScriptedTransport([
            .init(.get("https://example.com/"), .status(.tooManyRequests, headers: [.retryAfter: "30"])),
            .init(.get("https://other.example/"), .status(.ok)),
            .init(.get("https://example.com/"), .status(.ok)),
        ])
        let chain = try chain(transport, RateLimitLoader())
        #expect(try await chain.load(Self.get()).status == .tooManyRequests)
        #expect(try await chain.load(Self.get("https://other.example/")).notes.timings.waiting == .zero)
        let paused = Task { try await chain.load(Self.get()) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(29))
        #expect(transport.requests.count == 2)
        clock.advance(by: .seconds(1))
        #expect(try await paused.value.notes.timings.waiting == .seconds(30))
        try transport.verifyFinished()
    }

    @Test func `a server cannot stop the client for longer than the maximum`() async throws {
        let transport = ScriptedTransport([.init(.any, Self.exhausted(for: 1 << 40)), .init(.any, .status(.ok))])
        let chain = try chain(transport, RateLimitLoader(maximumPause: .seconds(600)))
        _ = try await chain.load(Self.get())
        let error = await #expect(throws: LoadError.self) { try await chain.load(Self.get()) }
        #expect(error?.code == .rateLimited)
        #expect(error?.explanation?.contains("601 seconds") == true)
        clock.advance(by: .seconds(600))
        #expect(try await chain.load(Self.get()).status == .ok)
    }

    @Test func `requests that wait when a pause starts get a new turn, and the rate also holds after the pause`() async throws {
        let clock = clock
        let times = Mutex<[Duration]>([])
        let transport = HoldingTransport { _ throws(LoadError) in
            times.withLock { $0.append(clock.now.offset) }
            return LoadResponse(
                HTTPResponse(status: .ok, headerFields: [.init("RateLimit-Remaining"): "0", .init("RateLimit-Reset"): "20"]))
        }
        let chain = try chain(transport, RateLimitLoader(Rate(1, per: .seconds(2)), maximumPause: .seconds(20)))
        let first = Task { try await chain.load(Self.get()) }
        await transport.untilSent(1)
        let second = Task { try await chain.load(Self.get()) }
        await clock.untilAsleep(1)
        let third = Task { try await chain.load(Self.get()) }
        await clock.untilAsleep(2)
        transport.release()
        _ = try await first.value
        clock.advance(by: .seconds(2))
        await clock.untilAsleep(2)
        clock.advance(by: .seconds(2))
        await clock.untilAsleep(2)
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(16))
        await transport.untilSent(2)
        #expect(clock.now.offset == .seconds(20))
        clock.advance(by: .seconds(2))
        await transport.untilSent(3)
        transport.release(2)
        _ = try await (second.value, third.value)
    }

    @Test func `a cancelled wait ends at once and returns its turn`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.ok))])
        let chain = try chain(transport, RateLimitLoader(Rate(1, per: .seconds(10))))
        _ = try await chain.load(Self.get())
        let cancelled = chain.begin(try Self.get())
        await clock.untilAsleep()
        cancelled.cancel()
        #expect(await cancelled.value.code == .cancelled)
        let next = Task { try await chain.load(Self.get()) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(10))
        #expect(try await next.value.notes.timings.waiting == .seconds(10))
    }

    @Test func `no more requests wait than the queue holds`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try chain(transport, RateLimitLoader(Rate(1, per: .seconds(1)), queueLimit: 2))
        _ = try await chain.load(Self.get())
        let waiting = try (0..<2).map { _ in try chain.begin(Self.get()) }
        await clock.untilAsleep(2)
        let error = await #expect(throws: LoadError.self) { try await chain.load(Self.get()) }
        #expect(error?.code == .queueFull)
        for load in waiting {
            load.cancel()
            #expect(await load.value.code == .cancelled)
        }
    }

    @Test func `the number of keys is limited, and keys named by requests are counted separately`() async throws {
        let transport = RoutedTransport([(.any, Self.exhausted(for: 5))])
        let loader = RateLimitLoader(Rate(1, per: .seconds(1)), per: .chain, keyLimit: 10)
        let chain = try chain(transport, loader)
        for index in 0..<100 {
            var request = try Self.get()
            request.options[RateLimitKey.self] = "account \(index)"
            #expect(try await chain.load(request).notes.timings.waiting == .zero)
        }
        #expect(loader.keyCount == 10)
    }

    @Test func `remembers nothing about servers that send no limits`() async throws {
        let loader = RateLimitLoader()
        let chain = try chain(RoutedTransport([(.any, .status(.ok))]), loader)
        for index in 0..<100 { _ = try await chain.load(Self.get("https://host\(index).example/")) }
        #expect(loader.keyCount == 0)
    }

    @Test func `a reset forgets what servers sent, and ignores late responses to requests from before it`() async throws {
        let transport = HoldingTransport(isStubborn: true) { _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: .tooManyRequests, headerFields: [.retryAfter: "3000"]))
        }
        let chain = try chain(transport, RateLimitLoader())
        let late = chain.begin(try Self.get())
        await transport.untilSent(1)
        let first = chain.begin(try Self.get("https://other.example/"))
        await transport.untilSent(2)
        transport.release(1, from: 1)
        #expect(await first.value.code == nil)
        #expect(await chain.begin(try Self.get("https://other.example/")).value.code == .rateLimited)
        let resetting = Task { await chain.reset(grace: .seconds(1)) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(1))
        #expect(await resetting.value.abandonedLoads == 1)
        transport.release()
        #expect(await late.value.code == .cancelled)
        let again = [chain.begin(try Self.get()), chain.begin(try Self.get("https://other.example/"))]
        await transport.untilSent(4)
        transport.release(2)
        for load in again { #expect(await load.value.code == nil) }
    }

    @Test func `supports waits and pauses of any length`() async throws {
        let longest = Duration(attoseconds: .max)
        let loader = RateLimitLoader(Rate(1, per: longest, burst: .max), maximumWait: longest, maximumPause: longest)
        let answer = ScriptedAnswer.status(.tooManyRequests, headers: [.retryAfter: "\(Int64.max)"])
        let clock = TestClock()
        let chain = try Chain(transport: RoutedTransport([(.any, answer)]), clock: LoadClock(clock), [loader])
        clock.advance(by: .seconds(1))
        #expect(try await chain.load(.get("https://example.com/")).status == .tooManyRequests)
    }
}

extension HTTPField.Name {
    /// Creates the name from a string that is known to be valid.
    fileprivate init(_ text: StaticString) {
        self = HTTPField.Name(text.description) ?? .expect
    }
}
