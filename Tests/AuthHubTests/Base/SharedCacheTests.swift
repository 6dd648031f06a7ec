import JOSE
import Synchronization
import Testing

@testable import AuthHub

struct SharedCacheTests {
    private let cache = KeySetCache()
    private let key = KeySetRules.Key(server: "https://as.example", url: "https://as.example/keys")
    private let reading = KeySetEntries.Reading(keys: JSONWebKeySet([]), freshFor: 600)

    private func copy(newerThan old: UInt64? = nil, read: @escaping @Sendable () async -> KeySetCache.Reading) async throws -> UInt64 {
        try await cache.copy(for: key, newerThan: old, now: { start }, read: read).number
    }

    /// Starts to read the document, and holds the response back until the gate opens.
    private func reader(newerThan old: UInt64? = nil, _ gate: Gate) -> Task<UInt64, any Error> {
        Task {
            try await copy(newerThan: old) {
                await gate.pass()
                return .success(reading)
            }
        }
    }

    private func unexpectedly() -> KeySetCache.Reading {
        Issue.record("a second request was sent")
        return .success(reading)
    }

    @Test func `concurrent callers share one request`() async throws {
        let gate = Gate()
        let first = reader(gate)
        await gate.untilReached()
        let others = (0..<10).map { _ in Task { try await copy { unexpectedly() } } }
        await Task.yield()
        gate.open()
        let number = try await first.value
        for other in others { #expect(try await other.value == number) }
    }

    @Test func `JK09: a caller whose copy did not help waits for the request under way, and does not get the old copy`() async throws {
        let old = try await copy { .success(reading) }
        let gate = Gate()
        let first = reader(newerThan: old, gate)
        await gate.untilReached()
        let second = Task { try await copy(newerThan: old) { unexpectedly() } }
        // Usually long enough for the second caller to ask. If it asks later, it gets the same copy.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        let numbers = try await (first.value, second.value)
        #expect(numbers.0 > old && numbers.1 == numbers.0)
    }

    @Test func `a caller that is cancelled stops waiting, and the others get the copy`() async throws {
        let gate = Gate()
        let first = reader(gate)
        await gate.untilReached()
        first.cancel()
        await #expect(throws: SessionError.self) { try await first.value }
        let second = Task { try await copy { unexpectedly() } }
        gate.open()
        #expect(try await second.value > 0)
    }
}
