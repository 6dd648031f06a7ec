import Testing

@testable import HTTPLoading

struct TokenBucketTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rate: Rate
        /// The times at which the requests arrive.
        let arrivals: [Duration]
        /// The times at which the requests may start.
        let turns: [Duration]
    }

    @Test(arguments: [
        Row(
            testDescription: "a full bucket lets the burst pass at once, and then one per interval",
            rate: Rate(2, per: .seconds(1)), arrivals: [.zero, .zero, .zero, .zero, .zero],
            turns: [.zero, .zero, .milliseconds(500), .seconds(1), .milliseconds(1500)]),
        Row(
            testDescription: "a burst of one spaces all requests",
            rate: Rate(4, per: .seconds(1), burst: 1), arrivals: [.zero, .zero, .milliseconds(100)],
            turns: [.zero, .milliseconds(250), .milliseconds(500)]),
        Row(
            testDescription: "a request that arrives late enough does not wait",
            rate: Rate(1, per: .seconds(10)), arrivals: [.zero, .seconds(10), .seconds(21)],
            turns: [.zero, .seconds(10), .seconds(21)]),
        Row(
            testDescription: "idle time saves up to the burst, and no more",
            rate: Rate(1, per: .seconds(1), burst: 2), arrivals: [.zero, .zero, .seconds(100), .seconds(100), .seconds(100)],
            turns: [.zero, .zero, .seconds(100), .seconds(100), .seconds(101)]),
        Row(
            testDescription: "a clock that is set back adds nothing",
            rate: Rate(1, per: .seconds(1)), arrivals: [.seconds(5), .seconds(3), .seconds(4)],
            turns: [.seconds(5), .seconds(6), .seconds(7)]),
        Row(
            testDescription: "a clock that jumps to the maximum fills the bucket",
            rate: Rate(1_000_000, per: .seconds(86_400), burst: 1), arrivals: [.zero, .seconds(Int64.max)],
            turns: [.zero, .seconds(Int64.max)]),
        Row(
            testDescription: "an invalid rate is corrected",
            rate: Rate(-5, per: .zero, burst: 0), arrivals: [.zero, .zero], turns: [.zero, .microseconds(1)]),
    ])
    func `turns follow from the rate, the burst, and earlier requests`(row: Row) {
        var bucket = TokenBucket(row.rate, at: .zero)
        #expect(row.arrivals.map { bucket.take(at: $0) } == row.turns)
    }

    @Test(arguments: [3, 7, 60, 999_983])
    func `a rate that does not divide its period loses nothing, however long it runs`(count: Int) {
        let rate = Rate(count, per: .seconds(1), burst: 1)
        var bucket = TokenBucket(rate, at: .zero)
        var now = Duration.zero
        let turns = min(count * 30, 10_000)
        // Each request arrives at the time when the previous one starts.
        for _ in 0..<turns { now = bucket.take(at: now) }
        let second: Int128 = 1_000_000_000_000_000_000
        // Rounded up: no request starts early.
        #expect(now == Duration(attoseconds: (Int128(turns - 1) * second + Int128(count) - 1) / Int128(count)))
    }

    @Test func `a returned token is available for the next request, and the bucket never holds more than the burst`() {
        var bucket = TokenBucket(Rate(1, per: .seconds(1)), at: .zero)
        #expect(bucket.take(at: .zero) == .zero)
        #expect(bucket.take(at: .zero) == .seconds(1))
        bucket.putBack()
        #expect(bucket.take(at: .zero) == .seconds(1))
        bucket.putBack()
        bucket.putBack()
        bucket.putBack()
        #expect(bucket.isFull(at: .zero))
        #expect(bucket.take(at: .zero) == .zero)
        #expect(bucket.take(at: .zero) == .seconds(1))
    }

    @Test func `returns several tokens that were taken in advance at once`() {
        var bucket = TokenBucket(Rate(1, per: .seconds(1)), at: .zero)
        for _ in 0..<10 { _ = bucket.take(at: .zero) }
        bucket.putBackAdvances(at: .seconds(3))
        #expect(bucket.take(at: .seconds(3)) == .seconds(4))
    }
}
