import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct ThrottleLoaderTests {
    private static func get(_ url: String = "https://example.com/") throws -> LoadRequest { try .get(url) }

    /// Returns a body that never ends by itself.
    private static func endless() -> ResponseBody {
        ResponseBody { () async throws(LoadError) in [1] }
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> ResponseBody
        let end: @Sendable (ResponseBody) async throws -> Void
    }

    @Test(arguments: [
        End(testDescription: "read to its end", body: { .bytes([1, 2]) }, end: { _ = try await $0.collect(upTo: 10) }),
        End(testDescription: "cancelled", body: { endless() }, end: { $0.cancel() }),
        End(testDescription: "found too large", body: { endless() }, end: { _ = try? await $0.collect(upTo: 10) }),
        End(
            testDescription: "broken",
            body: { ResponseBody { () async throws(LoadError) in throw LoadError(.connectionLost) } },
            end: { _ = try? await $0.collect(upTo: 10) }),
        End(testDescription: "drained", body: { endless() }, end: { await $0.drain() }),
        End(testDescription: "released unread", body: { endless() }, end: { _ in }),
    ])
    func `holds a permit until the response's body has ended`(row: End) async throws {
        let loader = ThrottleLoader(limit: 1)
        let transport = ScriptedTransport([
            .init(.any, ScriptedAnswer { _ throws(LoadError) in LoadResponse(HTTPResponse(status: .ok), body: row.body()) })
        ])
        let chain = try Chain(transport: transport, [loader])
        do {
            let response = try await chain.load(Self.get())
            #expect(loader.limiter.counts == Limiter.Counts(running: 1))
            try await row.end(response.body)
        }
        #expect(loader.limiter.counts == Limiter.Counts())
    }

    @Test func `a response without a body, and a failed request, hold no permit`() async throws {
        let loader = ThrottleLoader(limit: 1)
        let transport = ScriptedTransport([.init(.any, .status(.noContent)), .init(.any, .failure(.cannotConnect))])
        let chain = try Chain(transport: transport, [loader])
        let response = try await chain.load(Self.get())
        #expect(loader.limiter.counts == Limiter.Counts())
        #expect(response.status == .noContent)
        await #expect(throws: LoadError.self) { try await chain.load(Self.get()) }
        #expect(loader.limiter.counts == Limiter.Counts())
    }

    @Test func `runs no more requests than the limit concurrently, and serves all of them`() async throws {
        let transport = HoldingTransport()
        let chain = try Chain(transport: transport, [ThrottleLoader(limit: 3)])
        let loads = try (0..<30).map { _ in try chain.begin(Self.get()) }
        for count in 1...30 {
            await transport.untilSent(count)
            transport.release()
        }
        for load in loads { #expect(try await load.value.get() == Array("held".utf8)) }
        #expect(transport.peak <= 3)
    }

    @Test func `limits nothing by default`() async throws {
        let loader = ThrottleLoader()
        let transport = HoldingTransport()
        let chain = try Chain(transport: transport, [loader])
        let loads = try (0..<50).map { _ in try chain.begin(Self.get()) }
        await transport.untilSent(50)
        #expect(loader.limiter.limit == nil)
        transport.release(50)
        for load in loads { #expect(await load.value.code == nil) }
    }

    @Test func `a request may pass without being counted`() async throws {
        let loader = ThrottleLoader(limit: 0)
        let chain = try Chain(transport: ScriptedTransport([.init(.any, .status(.ok, body: [1]))]), [loader])
        var request = try Self.get()
        request.options[Throttling.self] = .never
        let response = try await chain.load(request)
        #expect(loader.limiter.counts == Limiter.Counts())
        #expect(try await response.body.collect(upTo: 1) == [1])
    }

    @Test func `counts origins separately, and named keys across them`() async throws {
        let loader = ThrottleLoader(limit: 1, per: .origin)
        let transport = HoldingTransport()
        let chain = try Chain(transport: transport, [loader])
        var loads = [try chain.begin(Self.get("https://a.example/")), try chain.begin(Self.get("https://b.example/"))]
        await transport.untilSent(2)
        for url in ["https://c.example/", "https://d.example/"] {
            var named = try Self.get(url)
            named.options[ThrottleKey.self] = "uploads"
            loads.append(chain.begin(named))
        }
        await transport.untilSent(3)
        await until { loader.limiter.counts(of: .named("uploads")) == Limiter.Counts(running: 1, waiting: 1) }
        transport.release(3)
        await transport.untilSent(4)
        transport.release()
        for load in loads { #expect(await load.value.code == nil) }
        #expect(loader.limiter.keyCount == 0)
    }

    @Test func `records the time in the queue`() async throws {
        let clock = TestClock()
        let loader = ThrottleLoader(limit: 0)
        let chain = try Chain(transport: ScriptedTransport([.init(.any, .status(.ok))]), clock: LoadClock(clock), [loader])
        let loading = Task { try await chain.load(Self.get()) }
        await until { loader.limiter.counts.waiting == 1 }
        clock.advance(by: .seconds(7))
        loader.limiter.limit = 1
        #expect(try await loading.value.notes.timings.waiting == .seconds(7))
    }

    @Test func `a request that times out leaves the queue, unsent`() async throws {
        let clock = TestClock()
        let loader = ThrottleLoader(limit: 0)
        let transport = ScriptedTransport([])
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [DeadlineLoader(.seconds(5)), loader])
        let loading = chain.begin(try Self.get())
        await until { loader.limiter.counts.waiting == 1 }
        await clock.untilAsleep()
        clock.advance(by: .seconds(5))
        #expect(await loading.value.code == .timedOut)
        #expect(loader.limiter.counts == Limiter.Counts())
        #expect(transport.requests.isEmpty)
    }

    @Test func `the wait ends at the request's deadline if nothing else ends it`() async throws {
        struct Expiring: Loader {
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                try await next.expiring(at: .seconds(3))(request)
            }
        }
        let clock = TestClock()
        let loader = ThrottleLoader(limit: 0)
        let chain = try Chain(transport: ScriptedTransport([]), clock: LoadClock(clock), [Expiring(), loader])
        let loading = chain.begin(try Self.get())
        await until { loader.limiter.counts.waiting == 1 }
        await clock.untilAsleep()
        clock.advance(by: .seconds(3))
        #expect(await loading.value.code == .timedOut)
        #expect(loader.limiter.keyCount == 0)
    }

    @Test(arguments: [true, false])
    func `a reset empties the queue of its chain only, and the limits stay`(sharesLoader: Bool) async throws {
        let limiter = Limiter(limit: 0)
        let loader = ThrottleLoader(limiter)
        let chain = try Chain(transport: ScriptedTransport([]), [loader])
        let other = try Chain(
            transport: ScriptedTransport([.init(.any, .status(.ok))]), [sharesLoader ? loader : ThrottleLoader(limiter)])
        let loads = try (0..<5).map { _ in try chain.begin(Self.get()) }
        let otherLoad = try other.begin(Self.get())
        await until { limiter.counts.waiting == 6 }
        let report = await chain.reset()
        for load in loads { #expect(await load.value.code == .cancelled) }
        #expect(report.cancelledLoads == 5)
        #expect(limiter.counts == Limiter.Counts(waiting: 1))
        #expect(limiter.limit == 0)
        limiter.limit = 1
        #expect(await otherLoad.value.code == nil)
    }

    @Test func `the last phase of a reset ends the wait of requests that were not cancelled`() async throws {
        let limiter = Limiter(limit: 0)
        let (chain, otherChain) = (ObjectIdentifier(Self.self), ObjectIdentifier(Limiter.self))
        let request = try Self.get()
        let waiting = Task { () -> LoadError? in
            do throws(LoadError) {
                try await limiter.acquire(.everything, priority: .high, for: request, of: chain, expiry: nil, timer: nil).release()
                return nil
            } catch {
                return error
            }
        }
        await until { limiter.counts.waiting == 1 }
        limiter.cancelWaiting(of: otherChain)
        #expect(limiter.counts.waiting == 1)
        limiter.cancelWaiting(of: chain)
        let error = await waiting.value
        #expect(error?.code == .cancelled)
        #expect(error?.request == request.id)
        #expect(limiter.keyCount == 0)
    }
}

extension ThrottleLoaderTests {
    /// An authorizer that obtains new credentials over a separate chain. All requests that wait for a credential share one refresh.
    private final class RefreshingAuthorizer: Authorizer {
        private struct State {
            var generation = 0
            var refresh: Task<Int, Never>?
        }

        private let chain: Chain
        private let state = Mutex(State())

        init(chain: Chain) {
            self.chain = chain
        }

        var generation: Int { state.withLock(\.generation) }

        func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool { true }
        func credential(for request: LoadRequest) async throws(LoadError) -> Int { generation }
        func apply(_ credential: Int, to head: inout HTTPRequest) throws(LoadError) { head.headerFields[.authorization] = "\(credential)" }

        func replacement(for credential: Int, refusedBy response: HTTPResponse, request: LoadRequest) async throws(LoadError) -> Int? {
            let task = state.withLock { state -> Task<Int, Never>? in
                guard credential == state.generation else { return nil }
                if let refresh = state.refresh { return refresh }
                let refresh = Task { await self.refresh() }
                state.refresh = refresh
                return refresh
            }
            guard let task else { return generation }
            return await task.value
        }

        private func refresh() async -> Int {
            let response = try? await chain.load(.post("https://example.com/token", body: .bytes([1])))
            await response?.body.drain()
            return state.withLock { state in
                if response?.status == .ok { state.generation += 1 }
                state.refresh = nil
                return state.generation
            }
        }
    }

    @Test(arguments: [true, false])
    func `case 10: a refresh succeeds while the requests that wait for it hold all permits`(sharesLimiter: Bool) async throws {
        let limiter = Limiter(limit: 1)
        let tokenPosts = Mutex(0)
        let transport = RoutedTransport([
            (
                .post("/token"),
                ScriptedAnswer { _ throws(LoadError) in
                    tokenPosts.withLock { $0 += 1 }
                    await Task.yield()
                    return LoadResponse(HTTPResponse(status: .ok), body: .bytes([1]))
                }
            ),
            (.any.and("the first credential") { $0.head.headerFields[.authorization] == "0" }, .status(.unauthorized, body: [1, 2, 3])),
            (.any, .status(.ok, body: Array("in".utf8))),
        ])
        let tokenChain = try Chain(transport: transport, [ThrottleLoader(sharesLimiter ? limiter : Limiter(limit: 1))])
        let authorizer = RefreshingAuthorizer(chain: tokenChain)
        let chain = try Chain(transport: transport, [AuthorizeLoader(authorizer), ThrottleLoader(limiter)])
        limiter.limit = 0
        let loads = try (0..<50).map { _ in try chain.begin(Self.get()) }
        await until { limiter.counts.waiting == 50 }
        limiter.limit = 1
        for load in loads { #expect(try await load.value.get() == Array("in".utf8)) }
        #expect(tokenPosts.withLock { $0 } == 1)
        #expect(authorizer.generation == 1)
        #expect(limiter.counts == Limiter.Counts())
    }
}
