import AuthHubTesting
import HTTPTypes
import Testing

@testable import HTTPLoading

struct RetryScheduleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let backoff: Backoff
        /// Bounds of the pauses in milliseconds.
        let pauses: [ClosedRange<Int64>]

        init(_ testDescription: String, _ backoff: Backoff, _ pauses: [ClosedRange<Int64>]) {
            self.testDescription = testDescription
            self.backoff = backoff
            self.pauses = pauses
        }
    }

    @Test(arguments: [
        Row("immediate", .immediate, [0...0, 0...0, 0...0]),
        Row("constant", .constant(.seconds(2)), [2000...2000, 2000...2000]),
        Row("constant and negative", .constant(.seconds(-2)), [0...0]),
        Row("exponential", .exponential(base: .seconds(1), cap: .seconds(5)), [0...1000, 0...2000, 0...4000, 0...5000, 0...5000]),
        Row("exponential, factor 3", .exponential(base: .seconds(1), factor: 3, cap: .seconds(60)), [0...1000, 0...3000, 0...9000]),
        Row("exponential, factor below 1", .exponential(base: .seconds(1), factor: 0.1), [0...1000, 0...1000]),
        Row("exponential, factor not a number", .exponential(base: .seconds(1), factor: .nan), [0...1000, 0...1000]),
        Row("exponential, factor infinite", .exponential(base: .seconds(1), factor: .infinity), [0...1000, 0...30_000]),
        Row("exponential, base above the cap", .exponential(base: .seconds(9), cap: .seconds(5)), [0...5000, 0...5000]),
        Row("exponential, base zero", .exponential(base: .zero), [0...0, 0...0]),
        Row(
            "decorrelated jitter", .decorrelatedJitter(base: .seconds(1), cap: .seconds(20)),
            [1000...3000, 1000...9000, 1000...20_000, 1000...20_000]),
        Row("decorrelated jitter, base above the cap", .decorrelatedJitter(base: .seconds(9), cap: .seconds(5)), [5000...5000]),
        Row("a list, whose last pause repeats", .delays([.seconds(1), .seconds(5)]), [1000...1000, 5000...5000, 5000...5000]),
        Row("an empty list", .delays([]), [0...0, 0...0]),
        Row("a closure", .custom { .after(.seconds($0.number)) }, [1000...1000, 2000...2000]),
        Row(
            "a closure that returns out-of-range values", .custom { _ in .after(.seconds(Int64.max)) },
            [3_153_600_000_000...3_153_600_000_000]),
    ])
    func `the backoff and the number of the attempt determine the pauses`(row: Row) throws {
        for seed in 0..<200 as Range<UInt64> {
            var schedule = schedule(RetryPolicy(maximumAttempts: 100, backoff: row.backoff), seed: seed)
            for (index, bounds) in row.pauses.enumerated() {
                let pause = try pause(schedule.decide(after: try attempt(index + 1)))
                #expect(Duration.milliseconds(bounds.lowerBound)...Duration.milliseconds(bounds.upperBound) ~= pause)
            }
        }
    }

    @Test func `random pauses use the whole range, and the same seed gives the same pauses`() throws {
        for backoff in [Backoff.exponential(base: .seconds(8)), .decorrelatedJitter(base: .seconds(1), cap: .seconds(8))] {
            let pauses = try (0..<200 as Range<UInt64>).map { seed in
                var schedule = schedule(RetryPolicy(backoff: backoff), seed: seed)
                return try pause(schedule.decide(after: try attempt(1)))
            }
            let lowest = try #require(pauses.min()), highest = try #require(pauses.max())
            #expect(Set(pauses).count > 190)
            #expect(highest - lowest > .seconds(1.8))
            var again = schedule(RetryPolicy(backoff: backoff), seed: 7)
            #expect(try pause(again.decide(after: try attempt(1))) == pauses[7])
        }
    }

    @Test func `a pause of decorrelated jitter depends on the one before, of the same request only`() throws {
        let policy = RetryPolicy(maximumAttempts: 100, backoff: .decorrelatedJitter(base: .seconds(1), cap: .seconds(1000)))
        var schedule = schedule(policy, seed: 1)
        var previous = Duration.seconds(1)
        for number in 1...50 {
            let pause = try pause(schedule.decide(after: try attempt(number)))
            #expect(pause <= previous * 3 + .microseconds(1))
            previous = pause
        }
        #expect(previous > .seconds(9), "the pauses have grown")
        var other = self.schedule(policy, seed: 2)
        #expect(try pause(other.decide(after: try attempt(1))) <= .seconds(3))
    }

    @Test(arguments: [-1, 0, 1, 2, 5])
    func `the number of attempts is the same for every backoff`(maximum: Int) throws {
        let backoffs: [Backoff] = [
            .immediate, .constant(.seconds(1)), .exponential(), .decorrelatedJitter(), .delays([.seconds(1)]), .delays([]),
            .custom { _ in .after(.zero) },
        ]
        for backoff in backoffs {
            var schedule = schedule(RetryPolicy(maximumAttempts: maximum, backoff: backoff), seed: 0)
            var sendings = 1
            while schedule.decide(after: try attempt(sendings)) != .stop { sendings += 1 }
            #expect(sendings == max(maximum, 1))
        }
    }

    @Test func `a closure may stop, and sees the outcome and the elapsed time`() throws {
        let backoff = Backoff.custom { attempt in
            guard case .success(let response) = attempt.outcome, response.status == .serviceUnavailable else { return .stop }
            return attempt.elapsed < .seconds(10) ? .after(.seconds(1)) : .stop
        }
        var schedule = schedule(RetryPolicy(maximumAttempts: 9, backoff: backoff), seed: 0)
        #expect(schedule.decide(after: try attempt(1)) == .after(.seconds(1)))
        #expect(schedule.decide(after: try attempt(2, elapsed: .seconds(10))) == .stop)
        #expect(schedule.decide(after: try attempt(2, outcome: .failure(LoadError(.cannotConnect)))) == .stop)
    }

    private func schedule(_ policy: RetryPolicy, seed: UInt64) -> RetrySchedule {
        RetrySchedule(policy, using: SeededGenerator(seed: seed), wallClock: { 0 })
    }

    private func attempt(
        _ number: Int, outcome: Result<HTTPResponse, LoadError> = .success(HTTPResponse(status: .serviceUnavailable)),
        elapsed: Duration = .zero
    ) throws -> FinishedAttempt {
        FinishedAttempt(request: try .get("https://api.example.com/"), outcome: outcome, number: number, elapsed: elapsed)
    }

    private func pause(_ decision: RetryDecision) throws -> Duration {
        guard case .after(let pause) = decision else { throw LoadError(.invalidResponse, explanation: "no other attempt") }
        return pause
    }
}
