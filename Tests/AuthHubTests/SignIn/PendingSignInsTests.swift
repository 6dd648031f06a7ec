import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct PendingSignInsTests {
    private let store = MemoryCredentialStore()
    private let account = CredentialAccount(server: "https://as.example", clientID: "client")

    private func list(at now: Date = start) -> PendingSignIns { PendingSignIns(of: account, in: store, now: { now }) }

    private func pending(at now: Date = start) throws -> PendingAuthorization {
        try AuthorizationRequest(
            to: SessionSetting.profile, client: OAuthClient(id: "client"), redirectURI: "http://127.0.0.1:1/callback", scope: [], at: now,
            lifetime: .seconds(300)
        ).pending
    }

    @Test func `a note of a sign-in in progress is lost with the record, and removed after a day`() async throws {
        let list = list()
        try await list.add(try pending())
        let (first, second) = (try await list.begin(), try await list.begin())
        #expect(try await list.all().count == 1)
        #expect(try await list.end(first))
        #expect(try await !list.end(first))
        try await store.delete(account.signIns, at: nil)
        #expect(try await !list.end(second))
        let forgotten = try await list.begin()
        let later = self.list(at: start.addingTimeInterval(86_401))
        #expect(try await later.end(later.begin()))
        #expect(try await !list.end(forgotten))
        #expect(try await store.read(account.signIns) == nil)
    }

    @Test func `keeps only the most recent sign-ins`() async throws {
        let all = try (0..<PendingSignIns.limit + 2).map { _ in try pending() }
        for pending in all { try await list().add(pending) }
        let kept = try await list().all()
        #expect(kept.count == PendingSignIns.limit)
        for (found, expected) in zip(kept, all.suffix(PendingSignIns.limit)) { #expect(found.isSameSignIn(as: expected)) }
    }

    @Test func `deletes expired sign-ins when the next one is stored`() async throws {
        try await list().add(pending())
        let later = start.addingTimeInterval(300)
        let next = try pending(at: later)
        try await list(at: later).add(next)
        let kept = try await list().all()
        #expect(kept.count == 1)
        #expect(kept.first?.isSameSignIn(as: next) == true)
    }

    @Test func `only one of several concurrent readers takes out a pending sign-in`() async throws {
        let (one, other) = (try pending(), try pending())
        try await list().add(one)
        try await list().add(other)
        let takers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await list().remove(one)) ?? false } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(takers == 1)
        #expect(try await list().all().count == 1)
        #expect(try await list().remove(other))
        #expect(try await !list().remove(other))
        #expect(try await store.read(account.signIns) == nil)
    }
}
