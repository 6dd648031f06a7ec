import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RetryCancellationTests {
    private static let url = "https://api.example.com/"
    private let clock = TestClock()

    @Test func `case 32: a request that is cancelled before it starts sends nothing`() async throws {
        let transport = ScriptedTransport([])
        let chain = try chain(transport)
        let began = Signal()
        let task = Task {
            await began.wait()
            return try await chain.load(.get(Self.url))
        }
        task.cancel()
        began.fire()
        #expect(await failure(of: task)?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    @Test func `case 32: a cancelled pause ends at once`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.serviceUnavailable))])
        let chain = try chain(transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await clock.untilAsleep()
        task.cancel()
        #expect(await failure(of: task)?.code == .cancelled)
        #expect(clock.sleeperCount == 0)
        try transport.verifyFinished()
    }

    @Test(arguments: [LoadError.Code.cancelled, .connectionLost])
    func `case 32: a cancelled attempt is the last, whatever the transport returns`(code: LoadError.Code) async throws {
        let sent = Signal()
        let transport = ScriptedTransport([
            .init(.any, .failure(.cannotConnect)),
            .init(
                .any,
                ScriptedAnswer { request throws(LoadError) in
                    sent.fire()
                    await untilCancelled()
                    throw LoadError(code, for: request)
                }),
        ])
        let chain = try chain(transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(10))
        await sent.wait()
        task.cancel()
        #expect(await failure(of: task)?.code == .cancelled)
        try transport.verifyFinished()
    }

    @Test func `case 32: a request that is cancelled while an intermediate response is discarded ends there`() async throws {
        let reading = Signal()
        let transport = ScriptedTransport([
            .init(
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    let body = ResponseBody { () async throws(LoadError) in
                        reading.fire()
                        await untilCancelled()
                        throw LoadError(.cancelled)
                    }
                    return LoadResponse(HTTPResponse(status: .serviceUnavailable), body: body)
                })
        ])
        let chain = try chain(transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await reading.wait()
        task.cancel()
        #expect(await failure(of: task)?.code == .cancelled)
        try transport.verifyFinished()
    }

    @Test func `a reset ends a pause at once`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.serviceUnavailable))])
        let chain = try chain(transport)
        let task = Task { try await chain.load(.get(Self.url)) }
        await clock.untilAsleep()
        let report = await chain.reset()
        #expect(await failure(of: task)?.code == .cancelled)
        #expect(report.cancelledLoads == 1 && report.abandonedLoads == 0)
        try transport.verifyFinished()
    }

    private func chain(_ transport: ScriptedTransport) throws -> Chain {
        try Chain(
            transport: transport, clock: LoadClock(clock),
            [RetryLoader(RetryPolicy(maximumAttempts: 5, backoff: .constant(.seconds(10))))])
    }
}
