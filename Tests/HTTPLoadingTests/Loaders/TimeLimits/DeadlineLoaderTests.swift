import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15)))
struct DeadlineLoaderTests {
    private static let url = "https://api.example.com/"
    private let clock = TestClock()
    /// Fires when a request has arrived that gets no response.
    private let sent = Signal()

    @Test func `cancels an attempt that takes too long, and the request times out`() async throws {
        let cancelled = Signal()
        let chain = try chain([DeadlineLoader(.seconds(30))], hanging { cancelled.fire() })
        let task = Task { try await chain.load(.get(Self.url)) }
        await sent.wait()
        clock.advance(by: .seconds(30))
        let error = await failure(of: task)
        #expect(error?.code == .timedOut)
        #expect(error?.explanation?.contains("30 seconds") == true)
        await cancelled.wait()
    }

    @Test(arguments: [(Duration.seconds(10), 10), (.seconds(50), 50)])
    func `a request's own limit takes precedence over the loader's`(limit: Duration, seconds: Int) async throws {
        let chain = try chain([DeadlineLoader(.seconds(30))], hanging())
        var request = try LoadRequest.get(Self.url)
        request.options[Deadline.self] = limit
        let task = Task { [request] in try await chain.load(request) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(await failure(of: task)?.code == .timedOut)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a request without any time sends nothing`(limit: Duration) async throws {
        let transport = ScriptedTransport([])
        let chain = try chain([DeadlineLoader(limit)], transport)
        #expect(await failure(of: Task { try await chain.load(.get(Self.url)) })?.code == .timedOut)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a request with unlimited time ends on its own`() async throws {
        let chain = try chain([DeadlineLoader(.seconds(Int64.max))], ScriptedTransport([.init(.any, .status(.ok, body: [1]))]))
        #expect(try await chain.load(.get(Self.url)).body.collect(upTo: 10) == [1])
    }

    @Test func `case 35: the time includes all attempts and pauses`() async throws {
        let transport = ScriptedTransport([
            .init(.any, .status(.serviceUnavailable)), .init(.any, .status(.serviceUnavailable)),
            .init(.any, .status(.badGateway, body: [3])),
        ])
        let policy = RetryPolicy(maximumAttempts: 9, backoff: .constant(.seconds(12)))
        let chain = try chain([DeadlineLoader(.seconds(30)), RetryLoader(policy)], transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        for _ in 0..<2 {
            await clock.untilAsleep(2)
            clock.advance(by: .seconds(12))
        }
        let response = try await task.value
        #expect(clock.now.offset == .seconds(24), "a pause that would end after the limit is not begun")
        #expect(response.status == .badGateway && response.notes.attempts == 3)
        #expect(try await response.body.collect(upTo: 10) == [3])
        try transport.verifyFinished()
    }

    @Test func `case 35: does not start a pause that would end at the limit`() async throws {
        let transport = ScriptedTransport([.init(.any, .failure(.connectionLost))])
        let chain = try chain([DeadlineLoader(.seconds(12)), RetryLoader(RetryPolicy(backoff: .constant(.seconds(12))))], transport)
        #expect(await failure(of: Task { try await chain.load(.get(Self.url)) })?.code == .connectionLost)
    }

    @Test func `an attempt in which the time runs out is the last one`() async throws {
        let transport = ScriptedTransport([.init(.any, .failure(.connectionLost)), .init(.any, hangingAnswer())])
        let chain = try chain(
            [DeadlineLoader(.seconds(30)), RetryLoader(RetryPolicy(backoff: .constant(.seconds(10)))), AttemptTimeoutLoader()], transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await clock.untilAsleep(2)
        clock.advance(by: .seconds(10))
        await sent.wait()
        clock.advance(by: .seconds(20))
        #expect(await failure(of: task)?.code == .timedOut)
        try transport.verifyFinished()
    }

    @Test func `reading a body ends at the deadline, and its connection closes`() async throws {
        let body = HangingBody()
        let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport([.init(.any, body.answer)]))
        let response = try await chain.load(.get(Self.url))
        let reading = Task { try await response.body.collect(upTo: 10) }
        await body.isRead.wait()
        await clock.untilAsleep()
        clock.advance(by: .seconds(30))
        guard case .failure(let error as LoadError) = await reading.result else { Issue.record("the body was read"); return }
        #expect(error.code == .timedOut)
        #expect(body.cancellations == 1)
    }

    @Test func `a body that is not read ends at the deadline, too`() async throws {
        let body = HangingBody()
        let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport([.init(.any, body.answer)]))
        let response = try await chain.load(.get(Self.url))
        let ended = Signal()
        response.body.whenEnded { ended.fire() }
        await clock.untilAsleep()
        clock.advance(by: .seconds(30))
        await ended.wait()
        #expect(body.cancellations == 1)
        #expect(await #expect(throws: LoadError.self) { try await response.body.collect(upTo: 10) }?.code == .timedOut)
    }

    @Test func `one task sleeps for all requests of a chain, and none after them`() async throws {
        let bodies = (0..<100).map { _ in HangingBody() }
        let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport(bodies.map { .init(.any, $0.answer) }))
        var responses: [LoadResponse] = []
        for _ in 0..<100 { responses.append(try await chain.load(.get(Self.url))) }
        await clock.untilAsleep()
        #expect(clock.sleeperCount == 1)
        for response in responses.dropFirst(50) { response.body.cancel() }
        let ended = Signal()
        responses[49].body.whenEnded { ended.fire() }
        responses.removeFirst(49)
        clock.advance(by: .seconds(30))
        await ended.wait()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a shorter limit ends before a longer one that was set earlier`() async throws {
        let long = HangingBody(), short = HangingBody()
        let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport([.init(.any, long.answer), .init(.any, short.answer)]))
        let first = try await chain.load(.get(Self.url))
        await clock.untilAsleep()
        var request = try LoadRequest.get(Self.url)
        request.options[Deadline.self] = .seconds(5)
        let second = try await chain.load(request)
        let ended = Signal(), lastEnded = Signal()
        first.body.whenEnded { lastEnded.fire() }
        second.body.whenEnded { ended.fire() }
        clock.advance(by: .seconds(5))
        await ended.wait()
        #expect(long.cancellations == 0)
        await clock.untilAsleep()
        clock.advance(by: .seconds(25))
        await lastEnded.wait()
        #expect(long.cancellations == 1)
    }

    @Test func `a request whose caller leaves first is cancelled, even if the deadline passes before it has ended`() async throws {
        let (task, mayEnd) = try await slowlyEnding()
        task.cancel()
        clock.advance(by: .seconds(30))
        mayEnd.fire()
        #expect(await failure(of: task)?.code == .cancelled)
    }

    @Test func `a request whose deadline passes first has timed out, even if the caller leaves before it has ended`() async throws {
        let noticed = Signal()
        let (task, mayEnd) = try await slowlyEnding { noticed.fire() }
        clock.advance(by: .seconds(30))
        await noticed.wait()
        task.cancel()
        mayEnd.fire()
        #expect(await failure(of: task)?.code == .timedOut)
    }

    @Test func `releases a response that arrives after the deadline`() async throws {
        let body = HangingBody()
        let transport = ScriptedTransport([
            .init(
                .any,
                ScriptedAnswer { [sent] _ throws(LoadError) in
                    sent.fire()
                    await untilCancelled()
                    return body.response()
                })
        ])
        let chain = try chain([DeadlineLoader(.seconds(30))], transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await sent.wait()
        clock.advance(by: .seconds(30))
        #expect(await failure(of: task)?.code == .timedOut)
        #expect(body.cancellations == 1)
    }

    @Test func `a deadline that passes as the response arrives gives either a timeout or the complete response`() async throws {
        for round in 0..<300 {
            let clock = TestClock()
            let sent = Signal(), mayAnswer = Signal()
            let body = HangingBody()
            let transport = ScriptedTransport([
                .init(
                    .any,
                    ScriptedAnswer { _ throws(LoadError) in
                        sent.fire()
                        await mayAnswer.wait()
                        return body.response()
                    })
            ])
            let chain = try Chain(transport: transport, clock: LoadClock(clock), [DeadlineLoader(.seconds(30))])
            let task = Task { try await chain.load(.get(Self.url)) }
            await sent.wait()
            async let answering: Void = mayAnswer.fire()
            async let expiring: Void = clock.advance(by: .seconds(30))
            _ = await (answering, expiring)
            switch await task.result {
            case .success(let response):
                // The response arrived in time, but its body must still end at the deadline.
                let error = await #expect(throws: LoadError.self) { try await response.body.collect(upTo: 10) }
                #expect(error?.code == .timedOut, "round \(round)")
            case .failure(let error):
                #expect((error as? LoadError)?.code == .timedOut, "round \(round)")
            }
            // The reader may see the error a moment before the transport is cancelled.
            await until { body.cancellations > 0 }
            #expect(body.cancellations == 1, "round \(round)")
        }
    }

    @Test func `releasing a chain leaves no task asleep`() async throws {
        for _ in 0..<10 {
            let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport([.init(.any, .status(.ok))]))
            _ = try await chain.load(.get(Self.url))
            await clock.untilAsleep()
        }
        // The last task that holds the chain may not have finished yet.
        while clock.sleeperCount > 0 { await Task.yield() }
    }

    /// Starts a request whose transport notices the cancellation, but only ends when the test allows it.
    private func slowlyEnding(
        noticed: @escaping @Sendable () -> Void = {}
    ) async throws -> (Task<LoadResponse, any Error>, mayEnd: Signal) {
        let mayEnd = Signal()
        let answer = ScriptedAnswer { [sent] request throws(LoadError) in
            sent.fire()
            await untilCancelled()
            noticed()
            // Wait in another task, because this one is cancelled, so its waits would return immediately.
            await Task.detached { await mayEnd.wait() }.value
            throw LoadError(.cancelled, for: request)
        }
        let chain = try chain([DeadlineLoader(.seconds(30))], ScriptedTransport([.init(.any, answer)]))
        let task = Task { try await chain.load(.get(Self.url)) }
        await sent.wait()
        return (task, mayEnd)
    }

    private func hanging(_ cancelled: @escaping @Sendable () -> Void = {}) -> ScriptedTransport {
        ScriptedTransport([.init(.any, hangingAnswer(cancelled))])
    }

    private func hangingAnswer(_ cancelled: @escaping @Sendable () -> Void = {}) -> ScriptedAnswer {
        ScriptedAnswer { [sent] request throws(LoadError) in
            sent.fire()
            await untilCancelled()
            cancelled()
            throw LoadError(.cancelled, for: request)
        }
    }

    private func chain(_ loaders: [any Loader], _ transport: ScriptedTransport) throws -> Chain {
        try Chain(transport: transport, clock: LoadClock(clock), loaders)
    }
}
