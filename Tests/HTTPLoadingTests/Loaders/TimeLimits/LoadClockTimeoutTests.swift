import AuthHubTesting
import HTTPLoading
import Testing

@Suite(.timeLimit(.minutes(15)))
struct LoadClockTimeoutTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let advance: Duration
        let end: Duration
    }

    @Test(arguments: [
        Row(testDescription: "in time", advance: .seconds(60), end: .seconds(60)),
        Row(testDescription: "a second late", advance: .seconds(61), end: .seconds(61)),
        Row(testDescription: "after a sleep of the machine", advance: .seconds(125), end: .seconds(135)),
    ])
    func `TX06: a timeout that is noticed late has a grace period`(row: Row) async throws {
        let clock = TestClock()
        let end = Task {
            try await LoadClock(clock).sleep(untilTimeout: .seconds(60))
            return clock.now.offset
        }
        await clock.untilAsleep()
        clock.advance(by: row.advance)
        if row.end > row.advance {
            await clock.untilAsleep()
            clock.advance(by: row.end - row.advance)
        }
        #expect(try await end.value == row.end)
    }

    @Test func `a grace period ends with its task`() async throws {
        let clock = TestClock()
        let sleeping = Task { try await LoadClock(clock).sleep(untilTimeout: .seconds(60)) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(125))
        await clock.untilAsleep()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
    }
}
