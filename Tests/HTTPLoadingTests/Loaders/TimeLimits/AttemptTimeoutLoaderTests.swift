import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(15)))
struct AttemptTimeoutLoaderTests {
    private static let url = "https://api.example.com/"
    private let clock = TestClock()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let option: Duration?
        let deadline: Duration
        let left: Duration

        init(_ testDescription: String, option: Duration?, deadline: Duration, left: Duration) {
            self.testDescription = testDescription
            self.option = option
            self.deadline = deadline
            self.left = left
        }
    }

    @Test(arguments: [
        Row("the option's default", option: nil, deadline: .seconds(300), left: .seconds(60)),
        Row("the request's option", option: .seconds(5), deadline: .seconds(300), left: .seconds(5)),
        Row("the rest of the request's time", option: .seconds(50), deadline: .seconds(30), left: .seconds(30)),
        Row("unlimited time", option: .seconds(Int64.max), deadline: .seconds(30), left: .seconds(30)),
    ])
    func `an attempt has the timeout of its option, or the rest of the request's time`(row: Row) async throws {
        for transportKeepsTime in [true, false] {
            let transport = ScriptedTransport([.init(.any, .status(.ok))])
            let chain = try chain([DeadlineLoader(row.deadline), AttemptTimeoutLoader(transportKeepsTime: transportKeepsTime)], transport)
            var request = try LoadRequest.get(Self.url)
            if let option = row.option { request.options[AttemptTimeout.self] = option }
            _ = try await chain.load(request)
            #expect(transport.requests.map { $0.options[AttemptTimeout.self] } == [row.left])
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `does not start an attempt without any time left`(limit: Duration) async throws {
        let chain = try chain([AttemptTimeoutLoader()], ScriptedTransport([]))
        var request = try LoadRequest.get(Self.url)
        request.options[AttemptTimeout.self] = limit
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == .timedOut)
    }

    @Test func `each attempt has its own timeout, and one that timed out may be followed by another`() async throws {
        let sent = [Signal(), Signal()]
        let transport = ScriptedTransport(sent.map { .init(.any, hanging($0)) } + [.init(.any, .status(.ok))])
        let chain = try chain([RetryLoader(RetryPolicy(backoff: .immediate)), AttemptTimeoutLoader()], transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        for signal in sent {
            await signal.wait()
            clock.advance(by: .seconds(60))
        }
        #expect(try await task.value.notes.attempts == 3)
        #expect(clock.now.offset == .seconds(120))
        try transport.verifyFinished()
    }

    @Test func `case 27: does not repeat a POST that timed out, because it may have been sent`() async throws {
        let sent = Signal()
        let transport = ScriptedTransport([.init(.any, hanging(sent))])
        let chain = try chain([RetryLoader(RetryPolicy(backoff: .immediate)), AttemptTimeoutLoader()], transport)
        let task = Task { try await chain.load(.post(Self.url, body: .bytes([1]))) }
        await sent.wait()
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: LoadError.self) { try await task.value }
        #expect(error?.code == .timedOut)
        try transport.verifyFinished()
    }

    @Test func `the timeout includes the body`() async throws {
        let body = HangingBody()
        let chain = try chain([AttemptTimeoutLoader()], ScriptedTransport([.init(.any, body.answer)]))
        let response = try await chain.load(.get(Self.url))
        let reading = Task { try await response.body.collect(upTo: 10) }
        await body.isRead.wait()
        await clock.untilAsleep()
        clock.advance(by: .seconds(60))
        guard case .failure(let error as LoadError) = await reading.result else { Issue.record("the body was read"); return }
        #expect(error.code == .timedOut && body.cancellations == 1)
    }

    @Test func `case 39, TX06: accepts a response that is already there if the machine slept past the timeout`() async throws {
        let (sent, awake) = (Signal(), Signal())
        let transport = ScriptedTransport([
            .init(
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    sent.fire()
                    await awake.wait()
                    return LoadResponse(HTTPResponse(status: .ok), body: .bytes(Array("late".utf8)))
                })
        ])
        let chain = try chain([AttemptTimeoutLoader()], transport)
        let task = Task { try await chain.load(.post(Self.url, body: .bytes([1]))) }
        await sleepOverTheEnd(of: sent)
        awake.fire()
        #expect(try await task.value.body.collect(upTo: 10) == Array("late".utf8))
    }

    @Test func `TX06: if no response is there after a sleep, the grace period is short`() async throws {
        let sent = Signal()
        let transport = ScriptedTransport([.init(.any, hanging(sent))])
        let chain = try chain([AttemptTimeoutLoader()], transport)
        let task = Task { try await chain.load(.post(Self.url, body: .bytes([1]))) }
        await sleepOverTheEnd(of: sent)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: LoadError.self) { try await task.value }
        #expect(error?.code == .timedOut)
    }

    /// Returns a response that never arrives.
    private func hanging(_ sent: Signal) -> ScriptedAnswer {
        ScriptedAnswer { request throws(LoadError) in
            sent.fire()
            await untilCancelled()
            throw LoadError(.cancelled, for: request)
        }
    }

    /// Simulates a machine that sleeps during the request. Returns when the timeout was noticed, and its grace period has started.
    private func sleepOverTheEnd(of sent: Signal) async {
        await sent.wait()
        await clock.untilAsleep()
        clock.advance(by: .seconds(125))
        await clock.untilAsleep()
    }

    private func chain(_ loaders: [any Loader], _ transport: ScriptedTransport) throws -> Chain {
        try Chain(transport: transport, clock: LoadClock(clock), loaders)
    }
}
