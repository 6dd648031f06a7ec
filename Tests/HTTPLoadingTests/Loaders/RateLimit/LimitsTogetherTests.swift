import AuthHubTesting
import HTTPTypes
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct LimitsTogetherTests {
    @Test func `coalescing, retrying, throttling and pausing work together: all wait once after a 429, without holding a permit`()
        async throws
    {
        let clock = TestClock()
        let transport = ScriptedTransport([
            .init(.any, .status(.tooManyRequests, headers: [.retryAfter: "3"], body: [1, 2, 3])),
            .init(.any, .status(.ok, body: Array("at last".utf8))),
        ])
        let sharing = DeduplicateLoader()
        let throttling = ThrottleLoader(limit: 0)
        let chain = try Chain(transport: transport, clock: LoadClock(clock)) {
            DeadlineLoader(.seconds(60))
            sharing
            RetryLoader()
            throttling
            RateLimitLoader()
        }
        let request = try LoadRequest.get("https://example.com/")
        let loads = (0..<10).map { _ in Task { try await chain.load(request) } }
        await until { sharing.callerCount == 10 && throttling.limiter.counts.waiting == 1 }
        throttling.limiter.limit = 1
        // Two sleepers: the deadline's timer, and the pause between the attempts.
        await clock.untilAsleep(2)
        #expect(throttling.limiter.counts == Limiter.Counts())
        clock.advance(by: .seconds(3))
        for load in loads {
            let response = try await load.value
            #expect(response.notes.attempts == 2)
            #expect(try await response.body.collect(upTo: 100) == Array("at last".utf8))
        }
        #expect(throttling.limiter.counts == Limiter.Counts())
        try transport.verifyFinished()
    }
}
