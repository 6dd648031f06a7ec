import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Races that are repeated until every outcome has very likely occurred.
struct CancellationRaceTests {
    /// A transport that responds after other tasks have run for a while, unless it is cancelled before.
    private struct HesitantTransport: Transport {
        let turns: Int

        func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
            for _ in 0..<turns {
                guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
                await Task.yield()
            }
            return LoadResponse(HTTPResponse(status: .ok), body: .bytes([1]))
        }
    }

    @Test func `case 33: cancellation and response race 10,000 times, and each request ends once and leaves nothing behind`() async throws {
        var generator = SeededGenerator(seed: 33)
        let chains = try (0..<4).map { try Chain(transport: HesitantTransport(turns: $0)) }
        var (answered, cancelled) = (0, 0)
        for _ in 0..<10_000 {
            let chain = chains[Int.random(in: 0..<4, using: &generator)]
            let patience = Int.random(in: 0..<6, using: &generator)
            let loading = Task { try await chain.load(.get("https://example.com/")).body.collect(upTo: 10) }
            for _ in 0..<patience { await Task.yield() }
            loading.cancel()
            switch await loading.result {
            case .success(let body):
                answered += 1
                #expect(body == [1])
            case .failure(let error):
                cancelled += 1
                #expect((error as? LoadError)?.code == .cancelled)
            }
        }
        #expect(answered + cancelled == 10_000)
        #expect(answered > 100 && cancelled > 100, "the race was lost both ways: \(answered) answered, \(cancelled) cancelled")
        for chain in chains { #expect(await chain.reset(grace: .zero).cancelledLoads == 0) }
    }

    @Test(arguments: [
        "before it is asked for", "in a loader in front", "in the transport", "while the body is read",
    ])
    func `case 32: a request that is cancelled at any point fails as cancelled, and is not sent again`(point: String) async throws {
        let reached = Signal()
        let clock = TestClock()
        let sendings = Mutex(0)
        let transport = RoutedTransport([
            (
                .any,
                ScriptedAnswer { request throws(LoadError) in
                    sendings.withLock { $0 += 1 }
                    if point == "in the transport" {
                        reached.fire()
                        return try await SleepingTransport(clock: clock).send(request)
                    }
                    return LoadResponse(
                        HTTPResponse(status: .ok),
                        body: ResponseBody { () async throws(LoadError) in
                            reached.fire()
                            do {
                                try await clock.sleep(for: .seconds(1))
                            } catch {
                                throw LoadError(.cancelled)
                            }
                            return nil
                        })
                }
            )
        ])
        let chain = try Chain(
            transport: transport,
            [
                Pausing {
                    guard point == "in a loader in front" else { return }
                    reached.fire()
                    try? await clock.sleep(for: .seconds(1))
                }
            ])
        let loading = Task {
            if point == "before it is asked for" {
                reached.fire()
                while !Task.isCancelled { await Task.yield() }
            }
            return try await chain.load(.get("https://example.com/")).body.collect(upTo: 10)
        }
        await reached.wait()
        loading.cancel()
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled)
        #expect(sendings.withLock { $0 } == (["in the transport", "while the body is read"].contains(point) ? 1 : 0))
        #expect(await chain.reset(grace: .zero).cancelledLoads == 0, "nothing is left behind")
    }

    @Test func `resets in the middle of everything leave no request without an outcome, and no response of an old epoch`() async throws {
        /// A server that knows who is signed in, and returns only that user's responses.
        final class Account: Transport {
            let person = Mutex(0)
            let isClosed = Mutex(false)

            func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
                let person = person.withLock { $0 }
                for _ in 0..<(person % 5) { await Task.yield() }
                return LoadResponse(HTTPResponse(status: .ok), body: .bytes(Array("\(person)".utf8)))
            }
        }
        struct Leaving: Loader {
            let account: Account

            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }

            func reset(_ context: ResetContext) async {
                if context.phase == .forget { account.person.withLock { $0 += 1 } }
            }
        }
        let account = Account()
        let chain = try Chain(transport: account, [Leaving(account: account)])
        let outcomes = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var outcomes: [String: Int] = [:]
                    while !account.isClosed.withLock({ $0 }) {
                        var request = try LoadRequest.get("https://example.com/")
                        request.options[WhileResetting.self] = worker.isMultiple(of: 2) ? .wait : .fail
                        let before = account.person.withLock { $0 }
                        do {
                            let response = try await chain.load(request)
                            let after = account.person.withLock { $0 }
                            let body = try await response.body.collect(upTo: 10)
                            let person = Int(String(decoding: body, as: UTF8.self)) ?? -1
                            #expect(person >= before && person <= after)
                            outcomes["answered", default: 0] += 1
                        } catch let error as LoadError {
                            outcomes["\(error.code)", default: 0] += 1
                        }
                        await Task.yield()
                    }
                    return outcomes
                }
            }
            for _ in 0..<500 {
                await chain.reset(grace: .seconds(60))
                await Task.yield()
            }
            account.isClosed.withLock { $0 = true }
            return try await group.reduce(into: [:]) { sum, part in sum.merge(part, uniquingKeysWith: +) }
        }
        #expect(Set(outcomes.keys).isSubset(of: ["answered", "cancelled", "reset_in_progress"]))
        #expect((outcomes["answered"] ?? 0) > 0)
        #expect(account.person.withLock { $0 } == 500)
        #expect(await chain.reset(grace: .zero).cancelledLoads == 0)
    }

    /// Performs an action before it passes the request on.
    private struct Pausing: Loader {
        let pause: @Sendable () async -> Void

        func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
            await pause()
            return try await next(request)
        }
    }
}
