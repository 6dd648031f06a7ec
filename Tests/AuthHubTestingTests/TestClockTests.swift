import AuthHubTesting
import HTTPLoading
import Testing

struct TestClockTests {
    @Test func `the time advances to the next deadline, and wakes no later one`() async throws {
        let clock = TestClock()
        await withTaskGroup(of: Int?.self) { group in
            for seconds in [3, 1, 2, 1] {
                group.addTask { (try? await clock.sleep(for: .seconds(seconds))).map { seconds } }
            }
            await clock.untilAsleep(4)
            #expect(clock.advanceToNextSleeper() == .seconds(1))
            #expect(clock.sleeperCount == 2)
            #expect(clock.advanceToNextSleeper() == .seconds(1))
            #expect(clock.advanceToNextSleeper() == .seconds(1))
            #expect(await group.reduce(into: []) { $0.append($1) }.compactMap(\.self).sorted() == [1, 1, 2, 3])
        }
        #expect(clock.advanceToNextSleeper() == nil)
        #expect(clock.now == TestClock.Instant(offset: .seconds(3)))
    }

    @Test func `a cancelled wait for sleepers ends`() async {
        let clock = TestClock()
        let waiting = Task { await clock.untilAsleep() }
        waiting.cancel()
        await waiting.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a run passes all pauses, and leaves the time where the last one ended`() async throws {
        let clock = TestClock()
        let count = try await clock.run {
            for seconds in 1...5 { try await clock.sleep(for: .seconds(seconds)) }
            return 5
        }
        #expect(count == 5)
        #expect(clock.now == TestClock.Instant(offset: .seconds(15)))
        await #expect(throws: CancellationError.self) {
            try await clock.run { () async throws in throw CancellationError() }
        }
    }

    @Test func `a run that waits for two sleepers passes the nearer deadline first`() async throws {
        let clock = TestClock()
        let first = await clock.run(whileAsleep: 2) {
            await withTaskGroup(of: Int?.self) { group in
                for seconds in [100, 1] {
                    group.addTask { (try? await clock.sleep(for: .seconds(seconds))).map { seconds } }
                }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
        }
        #expect(first == 1)
        #expect(clock.now == TestClock.Instant(offset: .seconds(1)))
    }
}
