import Platform
import Testing

@testable import AuthHub

struct TokenLifetimeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The time when the server sent the response, by the server's clock: in seconds after our clock's time of receipt.
        var sentAt: Double?
        var seconds = 3600.0
        /// The seconds since the response was received, by our clock, and the result.
        let fresh: [Double]
        let due: [Double]
        let expired: [Double]
    }

    @Test(arguments: [
        Row(testDescription: "by the local clock", fresh: [-3600, -61, -59, 0, 3539], due: [3540, 3599], expired: [3600, 10_000]),
        Row(testDescription: "the server's clock agrees", sentAt: -1, fresh: [-3600, -62, -59, 3539], due: [3540], expired: [3600]),
        Row(
            testDescription: "the server's clock is behind: it counts once the local clock is set back", sentAt: -3600,
            fresh: [-7200, -3661, -3600, -3659, -61, 0, 3539], due: [3540, -60, -1], expired: [3600]),
        Row(
            testDescription: "the server's clock is far behind, and the local clock is set back by less", sentAt: -7200, fresh: [-3661, 0],
            due: [-3660, -3601], expired: [-3600, -61, 3600]),
        Row(
            testDescription: "the server's clock is ahead, which has no effect", sentAt: 3600, fresh: [-61, -59, 0], due: [3540],
            expired: [3600]),
        Row(testDescription: "a short lifetime", seconds: 10, fresh: [-2.1, -2, 0, 7.9], due: [8, 9.9], expired: [10]),
        Row(testDescription: "a lifetime of zero", seconds: 0, fresh: [], due: [-0.1], expired: [0, 1]),
        Row(testDescription: "a negative lifetime", seconds: -5, fresh: [], due: [-0.1], expired: [0, 1]),
    ])
    func `the local clock decides when a token expires, and the server's Date only once the local clock is set back`(row: Row) {
        let lifetime = TokenLifetime(
            receivedAt: start, sentAt: row.sentAt.map { start.addingTimeInterval($0) }, seconds: row.seconds)
        for (seconds, isFresh, isExpired) in row.fresh.map({ ($0, true, false) }) + row.due.map({ ($0, false, false) })
            + row.expired.map({ ($0, false, true) })
        {
            let now = start.addingTimeInterval(seconds)
            #expect(lifetime.isFresh(at: now) == isFresh, "after \(seconds)")
            #expect(lifetime.isExpired(at: now) == isExpired, "after \(seconds)")
        }
    }

    @Test func `a caller that needs a longer lifetime is served by the token's expiry, not by the margin`() {
        let lifetime = TokenLifetime(receivedAt: start, sentAt: nil, seconds: 3600)
        #expect(lifetime.isFresh(at: start, for: 3600))
        #expect(!lifetime.isFresh(at: start, for: 3601))
        #expect(!lifetime.isFresh(at: start.addingTimeInterval(3540), for: 1))
    }

    @Test func `a token of unknown age counts as just received`() {
        let lifetime = TokenLifetime(receivedAt: start, sentAt: nil, seconds: 3600)
        let before = start.addingTimeInterval(-7200)
        #expect(lifetime.begin(at: before) == nil)
        #expect(lifetime.isFresh(at: before, for: 3600))
        #expect(!lifetime.isFresh(at: before, for: 3601))
        #expect(!lifetime.isExpired(at: before))
    }
}
