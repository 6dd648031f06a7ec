import Platform
@testable import AuthHubCommand
import Testing

struct RenewalScheduleTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The remaining lifetime of the new token; nil if it is unknown.
        let remaining: Double?
        let pause: Double?
    }

    static let rows = [
        Row(testDescription: "an hour: a minute before", remaining: 3600, pause: 3540),
        Row(testDescription: "five minutes: a minute before", remaining: 300, pause: 240),
        Row(testDescription: "ten seconds: a fifth before", remaining: 10, pause: 8),
        Row(testDescription: "less than a second: not in a loop", remaining: 0.1, pause: 1),
        Row(testDescription: "expired", remaining: -60, pause: 1),
        Row(testDescription: "unknown: never", remaining: nil, pause: nil),
    ]

    @Test(arguments: rows)
    func `a token is refreshed before it expires`(row: Row) {
        var schedule = RenewalSchedule()
        #expect(schedule.pause(after: .renewed(expiresAt: row.remaining.map { Self.now + $0 }), at: Self.now) == row.pause)
    }

    @Test func `pauses grow with each failure, up to a minute, until a refresh succeeds`() {
        var schedule = RenewalSchedule()
        let pauses = (0..<9).map { _ in schedule.pause(after: .failed, at: Self.now) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        for _ in 0..<100 { #expect(schedule.pause(after: .failed, at: Self.now) == 60) }
        _ = schedule.pause(after: .renewed(expiresAt: Self.now + 100), at: Self.now)
        #expect(schedule.pause(after: .failed, at: Self.now) == 1)
    }
}
