import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct MetadataEntriesTests {
    static let lifetimes: [(String, [String], String?, Double)] = [
        ("one hour by default", [], nil, 3600), ("the stated time", ["max-age=7200"], nil, 7200),
        ("among other directives, in any case", ["public, Max-Age=7200, must-revalidate"], nil, 7200),
        ("in quotes", ["max-age=\"7200\""], nil, 7200),
        ("the age is subtracted", ["max-age=7200"], "200", 7000),
        ("the shorter of two values", ["max-age=9000, max-age=7000"], nil, 7000),
        ("the shorter of two fields", ["public", "max-age=7000"], nil, 7000), ("at least five minutes", ["max-age=1"], nil, 300),
        ("0 is short", ["max-age=0"], nil, 300), ("at most a day", ["max-age=31536000"], nil, 86_400),
        ("a number too large to represent", ["max-age=99999999999999999999999999"], nil, 86_400),
        ("a missing number counts as short", ["max-age=soon"], nil, 300),
        ("a negative number counts as short", ["max-age=-5"], nil, 300), ("no-store counts as short", ["no-store, max-age=7200"], nil, 300),
        ("no-cache counts as short", ["no-cache"], nil, 300), ("older than its max-age", ["max-age=7200"], "7300", 300),
    ]

    @Test(arguments: lifetimes)
    func `DD16: a document stays fresh for as long as the server says, within limits`(
        description: String, fields: [String], age: String?, expected: Double
    ) {
        var head = HTTPResponse(status: .ok)
        head.headerFields[values: .cacheControl] = fields
        head.headerFields[.age] = age
        #expect(MetadataRules.freshness(of: head) == expected)
    }

    private let refused = SessionError(.serverMisbehaved, "no metadata")

    @Test func `DD16: uses a document while it is fresh, and fetches it again afterwards`() throws {
        var entries = MetadataEntries()
        let key = try Self.key(0)
        #expect(entries.find(key, at: start).isMissing)
        let copy = entries.keep(try Self.reading(0), for: key, at: start)
        #expect(entries.find(key, at: start.addingTimeInterval(299)).number == copy.number)
        #expect(entries.find(key, at: start.addingTimeInterval(300)).isMissing)
        #expect(entries.find(key, at: start.addingTimeInterval(-1)).isMissing, "a clock that was set back")
    }

    @Test func `DD16: uses an old document for a week if no new one is available, and retries every minute`() throws {
        var entries = MetadataEntries()
        let key = try Self.key(0)
        let copy = entries.keep(try Self.reading(0), for: key, at: start)
        let later = start.addingTimeInterval(400)
        for error in [refused, SessionError(.unreachable, "", underlying: LoadError(.cannotConnect))] {
            #expect(try entries.note(error, for: key, at: later).get().number == copy.number)
            #expect(entries.find(key, at: later.addingTimeInterval(59)).number == copy.number)
            #expect(entries.find(key, at: later.addingTimeInterval(60)).isMissing)
        }
        let muchLater = start.addingTimeInterval(300 + 7 * 86_400)
        #expect(throws: SessionError.self) { try entries.note(refused, for: key, at: muchLater).get() }
        #expect(entries.find(key, at: muchLater).error?.code == .serverMisbehaved)
    }

    @Test
    func `DD16: remembers a response that is not metadata longer than a failing server, and never a cancelled request`()
        throws
    {
        var entries = MetadataEntries()
        let down = SessionError(.unreachable, "down", underlying: OAuthError(ServerError(code: .serverError, status: 500)))
        let silent = SessionError(.unreachable, "silent", underlying: LoadError(.cannotConnect))
        for (index, (error, seconds)) in [(refused, 30.0), (down, 5), (silent, 0)].enumerated() {
            let key = try Self.key(index)
            #expect(throws: SessionError.self) { try entries.note(error, for: key, at: start).get() }
            if seconds > 0 { #expect(entries.find(key, at: start.addingTimeInterval(seconds - 1)).error?.code == error.code) }
            #expect(entries.find(key, at: start.addingTimeInterval(seconds)).isMissing)
        }
    }

    @Test func `DD16: remembers at most 64 servers and evicts the least recently used`() throws {
        var entries = MetadataEntries()
        for number in 0..<MetadataEntries.limit {
            _ = entries.keep(try Self.reading(number), for: try Self.key(number), at: start)
        }
        #expect(!entries.find(try Self.key(0), at: start).isMissing)
        _ = entries.note(refused, for: try Self.key(1000), at: start)
        #expect(entries.count == MetadataEntries.limit)
        #expect(!entries.find(try Self.key(0), at: start).isMissing)
        #expect(entries.find(try Self.key(1), at: start).isMissing)
    }

    @Test func `DD16: a document read with other quirks is a separate entry`() throws {
        var entries = MetadataEntries()
        let key = try Self.key(0)
        _ = entries.keep(try Self.reading(0), for: key, at: start)
        var quirks = ProviderQuirks.DiscoveryQuirks()
        quirks.followsRedirectsOfMetadata = true
        #expect(entries.find(MetadataEntries.Key(issuer: key.issuer, quirks: quirks), at: start).isMissing)
    }

    private static func key(_ number: Int) throws -> MetadataEntries.Key {
        MetadataEntries.Key(issuer: try Issuer("https://as.example/\(number)"), quirks: .init())
    }

    private static func reading(_ number: Int) throws -> MetadataEntries.Reading {
        let body = Secret(Array("{\"issuer\":\"https://as.example/\(number)\"}".utf8))
        let metadata = try ServerMetadata(HTTPResponse(status: .ok), body: body, of: try Issuer("https://as.example/\(number)"))
        return MetadataEntries.Reading(metadata: metadata, freshFor: 300)
    }
}
