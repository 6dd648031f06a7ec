import HTTPLoading
import JOSE
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct KeySetEntriesTests {
    private let key = KeySetEntries.Key(server: "https://as.example", url: "https://as.example/keys")
    private let refused = SessionError(.serverMisbehaved, "no key set")

    private func reading(freshFor: Double = 600) -> KeySetEntries.Reading {
        KeySetEntries.Reading(keys: JSONWebKeySet([]), freshFor: freshFor)
    }

    @Test func `uses keys while they are fresh, and reads them again afterwards`() {
        var entries = KeySetEntries()
        #expect(entries.find(key, at: start).isMissing)
        let copy = entries.keep(reading(), for: key, at: start)
        #expect(entries.find(key, at: start.addingTimeInterval(599)).number == copy.number)
        #expect(entries.find(key, at: start.addingTimeInterval(600)).isMissing)
        #expect(entries.find(key, at: start.addingTimeInterval(-1)).isMissing, "a clock that was set back")
    }

    @Test func `JK09, ID44: if no key fits, the keys are read again, at most once a minute`() {
        var entries = KeySetEntries()
        let copy = entries.keep(reading(), for: key, at: start)
        #expect(entries.find(key, newerThan: copy.number, at: start.addingTimeInterval(1)).isMissing, "even if they were just read")
        let second = entries.keep(reading(), for: key, at: start.addingTimeInterval(2))
        #expect(entries.find(key, newerThan: copy.number, at: start.addingTimeInterval(2)).number == second.number)
        #expect(entries.find(key, newerThan: second.number, at: start.addingTimeInterval(60)).number == second.number)
        #expect(entries.find(key, newerThan: second.number, at: start.addingTimeInterval(61)).isMissing)
    }

    @Test func `JK10: a thousand tokens with invented key IDs cause one request a minute`() {
        var entries = KeySetEntries()
        var copy = entries.keep(reading(), for: key, at: start)
        var requests = 0
        for number in 0..<1000 {
            let now = start.addingTimeInterval(Double(number) / 10)
            guard entries.find(key, newerThan: copy.number, at: now).isMissing else { continue }
            requests += 1
            copy = entries.keep(reading(), for: key, at: now)
        }
        #expect(requests == 2, "in 100 seconds")
    }

    @Test func `JK11: if the keys cannot be read again, old keys stay usable for a day, and a new attempt follows after a minute`() throws {
        var entries = KeySetEntries()
        let copy = entries.keep(reading(), for: key, at: start)
        let later = start.addingTimeInterval(700)
        for error in [refused, SessionError(.unreachable, "", underlying: LoadError(.cannotConnect))] {
            #expect(try entries.note(error, for: key, at: later).get().number == copy.number)
            #expect(entries.find(key, at: later.addingTimeInterval(59)).number == copy.number)
            #expect(entries.find(key, newerThan: copy.number, at: later.addingTimeInterval(59)).number == copy.number)
            #expect(entries.find(key, at: later.addingTimeInterval(60)).isMissing)
        }
    }

    @Test func `JK12: a day after its age, a withdrawn key is no longer used`() {
        var entries = KeySetEntries()
        _ = entries.keep(reading(), for: key, at: start)
        let end = start.addingTimeInterval(600 + 86_400)
        #expect(throws: SessionError.self) { try entries.note(refused, for: key, at: end).get() }
        #expect(entries.find(key, at: end).error?.code == .serverMisbehaved)
        #expect(entries.find(key, at: end.addingTimeInterval(5)).isMissing)
    }

    @Test func `a request without a response is tried again at once`() {
        var entries = KeySetEntries()
        let silent = SessionError(.unreachable, "silent", underlying: LoadError(.cannotConnect))
        #expect(throws: SessionError.self) { try entries.note(silent, for: key, at: start).get() }
        #expect(entries.find(key, at: start).isMissing)
    }

    @Test func `ID56: the keys of two servers with the same URL are separate entries, of which at most 64 are kept`() {
        var entries = KeySetEntries()
        _ = entries.keep(reading(), for: key, at: start)
        #expect(entries.find(KeySetEntries.Key(server: "https://other.example", url: key.url), at: start).isMissing)
        for number in 0..<KeySetEntries.limit {
            _ = entries.keep(reading(), for: KeySetEntries.Key(server: "https://\(number).example", url: key.url), at: start)
        }
        #expect(entries.count == KeySetEntries.limit)
        #expect(entries.find(key, at: start).isMissing)
    }
}
