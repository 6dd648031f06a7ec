import AuthHubTesting
@testable import CredentialStorage
import CredentialStorageTestSupport
import Testing

struct TurnsTests {
    private let clock = TestClock()

    @Test func `grants turns in order of request, including to callers that request again at once`() async throws {
        let turns = Turns<String>(clock: clock)
        let first = try #require(await turns.take("key", waitingAtMost: .zero))
        let second = Task { await turns.take("key", waitingAtMost: .seconds(60)) }
        await clock.untilAsleep(1)
        let third = Task { await turns.take("key", waitingAtMost: .seconds(60)) }
        await clock.untilAsleep(2)
        first.end()
        let again = Task { await turns.take("key", waitingAtMost: .seconds(60)) }
        try #require(await second.value).end()
        try #require(await third.value).end()
        try #require(await again.value).end()
    }

    @Test func `a caller that times out gets no turn, and delays no other`() async throws {
        let turns = Turns<String>(clock: clock)
        let first = try #require(await turns.take("key", waitingAtMost: .zero))
        let late = Task { await turns.take("key", waitingAtMost: .seconds(60)) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(60))
        #expect(await late.value == nil)
        first.end()
        first.end()
        #expect(await turns.take("key", waitingAtMost: .zero) != nil)
    }

    @Test func `each key has separate turns`() async {
        let turns = Turns<String>(clock: clock)
        let first = await turns.take("key", waitingAtMost: .zero)
        #expect(await turns.take("another", waitingAtMost: .zero) != nil)
        first?.end()
    }

    @Test func `a lock whose lease is dropped is free`() async throws {
        let folder = try TemporaryFolder()
        let locks = LockFolder(path: "\(folder.path)/locks")
        for _ in 0..<2 { _ = try await locks.lease(CredentialAccount.octocat.id, waitingAtMost: .zero) }
    }
}
