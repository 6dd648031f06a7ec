import HTTPLoading
import JOSE
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct KeySetShelfTests {
    private let key = KeySetShelf.Key(server: "https://as.example", url: "https://as.example/keys")
    private let refused = SessionError(.serverMisbehaved, "no key set")

    private func reading(freshFor: Double = 600) -> KeySetShelf.Reading {
        KeySetShelf.Reading(keys: JSONWebKeySet([]), freshFor: freshFor)
    }

    @Test func `uses keys while they are fresh, and reads them again afterwards`() {
        var shelf = KeySetShelf()
        #expect(shelf.find(key, at: start).isMissing)
        let copy = shelf.keep(reading(), for: key, at: start)
        #expect(shelf.find(key, at: start.addingTimeInterval(599)).number == copy.number)
        #expect(shelf.find(key, at: start.addingTimeInterval(600)).isMissing)
        #expect(shelf.find(key, at: start.addingTimeInterval(-1)).isMissing, "a clock that was set back")
    }

    @Test func `JK09, ID44: if no key fits, the keys are read again, at most once a minute`() {
        var shelf = KeySetShelf()
        let copy = shelf.keep(reading(), for: key, at: start)
        #expect(shelf.find(key, newerThan: copy.number, at: start.addingTimeInterval(1)).isMissing, "even if they were just read")
        let second = shelf.keep(reading(), for: key, at: start.addingTimeInterval(2))
        #expect(shelf.find(key, newerThan: copy.number, at: start.addingTimeInterval(2)).number == second.number)
        #expect(shelf.find(key, newerThan: second.number, at: start.addingTimeInterval(60)).number == second.number)
        #expect(shelf.find(key, newerThan: second.number, at: start.addingTimeInterval(61)).isMissing)
    }

    @Test func `JK10: a thousand tokens with invented key IDs cause one request a minute`() {
        var shelf = KeySetShelf()
        var copy = shelf.keep(reading(), for: key, at: start)
        var requests = 0
        for number in 0..<1000 {
            let now = start.addingTimeInterval(Double(number) / 10)
            guard shelf.find(key, newerThan: copy.number, at: now).isMissing else { continue }
            requests += 1
            copy = shelf.keep(reading(), for: key, at: now)
        }
        #expect(requests == 2, "in 100 seconds")
    }

    @Test func `JK11: if the keys cannot be read again, old keys stay usable for a day, and a new attempt follows after a minute`() throws {
        var shelf = KeySetShelf()
        let copy = shelf.keep(reading(), for: key, at: start)
        let later = start.addingTimeInterval(700)
        for error in [refused, SessionError(.unreachable, "", underlying: LoadError(.cannotConnect))] {
            #expect(try shelf.note(error, for: key, at: later).get().number == copy.number)
            #expect(shelf.find(key, at: later.addingTimeInterval(59)).number == copy.number)
            #expect(shelf.find(key, newerThan: copy.number, at: later.addingTimeInterval(59)).number == copy.number)
            #expect(shelf.find(key, at: later.addingTimeInterval(60)).isMissing)
        }
    }

    @Test func `JK12: a day after its age, a withdrawn key is no longer used`() {
        var shelf = KeySetShelf()
        _ = shelf.keep(reading(), for: key, at: start)
        let end = start.addingTimeInterval(600 + 86_400)
        #expect(throws: SessionError.self) { try shelf.note(refused, for: key, at: end).get() }
        #expect(shelf.find(key, at: end).error?.code == .serverMisbehaved)
        #expect(shelf.find(key, at: end.addingTimeInterval(5)).isMissing)
    }

    @Test func `a request without a response is tried again at once`() {
        var shelf = KeySetShelf()
        let silent = SessionError(.unreachable, "silent", underlying: LoadError(.cannotConnect))
        #expect(throws: SessionError.self) { try shelf.note(silent, for: key, at: start).get() }
        #expect(shelf.find(key, at: start).isMissing)
    }

    @Test func `ID56: the keys of two servers with the same URL are separate entries, of which at most 64 are kept`() {
        var shelf = KeySetShelf()
        _ = shelf.keep(reading(), for: key, at: start)
        #expect(shelf.find(KeySetShelf.Key(server: "https://other.example", url: key.url), at: start).isMissing)
        for number in 0..<KeySetShelf.limit {
            _ = shelf.keep(reading(), for: KeySetShelf.Key(server: "https://\(number).example", url: key.url), at: start)
        }
        #expect(shelf.count == KeySetShelf.limit)
        #expect(shelf.find(key, at: start).isMissing)
    }
}
