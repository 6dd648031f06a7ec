import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct RetryBudgetTests {
    /// A server that always fails, and counts the requests.
    private final class Outage: Transport {
        private let sent = Mutex(0)

        var sendings: Int { sent.withLock { $0 } }

        func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
            sent.withLock { $0 += 1 }
            return LoadResponse(HTTPResponse(status: .serviceUnavailable))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let budget: RetryBudget
        let retries: Int

        init(_ testDescription: String, _ budget: RetryBudget, _ retries: Int) {
            self.testDescription = testDescription
            self.budget = budget
            self.retries = retries
        }
    }

    private let clock = TestClock()
    private let outage = Outage()

    @Test(arguments: [
        Row("only a reserve", RetryBudget(ratio: 0, reserve: 10), 10),
        Row("nothing at all", RetryBudget(ratio: 0, reserve: 0), 0),
        Row("below nothing", RetryBudget(ratio: -1, reserve: -1), 0),
        Row("a ratio that is not a number", RetryBudget(ratio: .nan, reserve: 1), 1),
        Row("one for two requests, and the reserve", RetryBudget(ratio: 0.5, reserve: 10), 509),
        Row("no limit", .unlimited, 2000),
    ])
    func `an outage of 1000 consecutive requests makes no more retries than the budget has`(row: Row) async throws {
        let chain = try chain(row.budget)
        for _ in 0..<1000 { #expect(try await chain.load(.get("https://api.example.com/")).status == .serviceUnavailable) }
        // The reserve is already full at the first request, and up to half a retry may remain at the end.
        #expect(outage.sendings == 1000 + row.retries)
    }

    @Test func `an outage of 1000 concurrent requests is limited, too`() async throws {
        let chain = try chain(RetryBudget())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { _ = try await chain.load(.get("https://api.example.com/")) } }
            try await group.waitForAll()
        }
        #expect(outage.sendings > 1010)
        #expect(outage.sendings <= 1000 + 10 + 200)
    }

    @Test func `requests that succeed refill the reserve only up to its initial size`() async throws {
        let chain = try Chain(
            transport: RoutedTransport([(.get("/good"), .status(.ok)), (.any, .status(.serviceUnavailable))]), clock: LoadClock(clock),
            [RetryLoader(RetryPolicy(maximumAttempts: 100, backoff: .immediate), budget: RetryBudget(ratio: 1, reserve: 10))])
        for _ in 0..<1000 { _ = try await chain.load(.get("https://api.example.com/good")) }
        #expect(try await chain.load(.get("https://api.example.com/bad")).notes.attempts == 11)
    }

    @Test func `an empty reserve refills with time`() async throws {
        let chain = try chain(RetryBudget(ratio: 0, reserve: 4, recovery: .seconds(60)))
        #expect(try await attempts(chain) == [3, 3, 1, 1])
        clock.advance(by: .seconds(30))
        #expect(try await attempts(chain) == [3, 1, 1, 1])
        clock.advance(by: .seconds(10_000))
        #expect(try await attempts(chain) == [3, 3, 1, 1])
    }

    @Test func `a reset restores the budget`() async throws {
        let chain = try chain(RetryBudget(ratio: 0, reserve: 4, recovery: .seconds(1_000_000)))
        #expect(try await attempts(chain) == [3, 3, 1, 1])
        await chain.reset()
        #expect(try await attempts(chain) == [3, 3, 1, 1])
    }

    private func attempts(_ chain: Chain) async throws -> [Int] {
        var attempts: [Int] = []
        for _ in 0..<4 { attempts.append(try await chain.load(.get("https://api.example.com/")).notes.attempts) }
        return attempts
    }

    private func chain(_ budget: RetryBudget) throws -> Chain {
        try Chain(
            transport: outage, clock: LoadClock(clock), [RetryLoader(RetryPolicy(maximumAttempts: 3, backoff: .immediate), budget: budget)])
    }
}
