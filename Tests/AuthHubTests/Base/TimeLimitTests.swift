import AuthHubTesting
import HTTPLoading
import Testing

@testable import AuthHub

@Suite(.timeLimit(.minutes(15)))
struct TimeLimitTests {
    @Test func `the time begins with the call, even if the task that measures it starts after the work`() async {
        let clock = TestClock()
        let never = Latch<Int>()
        let value = await result(within: .seconds(10), on: LoadClock(clock)) { () async -> Int in
            clock.advance(by: .seconds(10))
            return await never.wait() ?? 0
        }
        #expect(value == nil)
    }

    @Test func `returns a result that is there in time`() async {
        let value = await result(within: .seconds(10), on: LoadClock(TestClock())) { () async -> Int in 1 }
        #expect(value == 1)
    }
}
