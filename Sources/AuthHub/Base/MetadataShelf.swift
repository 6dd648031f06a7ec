import HTTPLoading
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules by which metadata is kept: for how long it is fresh, what serves when it cannot be read anew, and what has to make room.
struct MetadataShelf: Sendable {
    struct Key: Sendable, Hashable {
        let issuer: Issuer
        let quirks: ProviderQuirks.DiscoveryQuirks
        /// Whether all documents of the issuer are read, and not only the first.
        var isCompleted = false
    }

    /// What was read at the issuer.
    struct Reading: Sendable {
        let metadata: ServerMetadata
        /// Where the search for the issuer's other documents goes on.
        var rest: MetadataSearch<ServerMetadata>?
        /// In seconds.
        let freshFor: Double
    }

    /// A reading that is kept, with its number.
    struct Copy: Sendable {
        let reading: Reading
        let number: UInt64

        var metadata: ServerMetadata { reading.metadata }
    }

    enum Finding: Sendable {
        case fresh(Copy)
        /// It failed a moment ago.
        case failed(SessionError)
        case missing
    }

    private struct Entry {
        var copy: Copy?
        var error: SessionError?
        /// When it was read or tried; a clock that was set back makes it stale.
        var from: Date
        var until: Date
        /// When the copy serves no more, though nothing newer can be had.
        var end: Date
        var use: UInt64
    }

    /// The most servers that are remembered; the one whose use lies back farthest makes room.
    static let limit = 64
    /// How long an answer that is no metadata is believed, in seconds.
    static let refusalTime: Double = 30
    /// How long a server that answered that it is down is left alone, in seconds. Where no answer came, the next who asks tries again.
    static let failureTime: Double = 5
    /// When the next reading is tried where one failed and an old copy serves, in seconds.
    static let staleTime: Double = 60
    /// How long a copy serves after its time where nothing newer can be had, in seconds.
    static let staleLimit: Double = 7 * 86_400

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    var count: Int { entries.count }

    mutating func find(_ key: Key, at now: Date) -> Finding {
        guard let entry = entries[key], entry.from <= now, now < entry.until else { return .missing }
        clock += 1
        entries[key]?.use = clock
        if let copy = entry.copy, now < entry.end { return .fresh(copy) }
        return entry.error.map { .failed($0) } ?? .missing
    }

    /// Keeps what was read.
    mutating func keep(_ reading: Reading, for key: Key, at now: Date) -> Copy {
        clock += 1
        let copy = Copy(reading: reading, number: clock)
        let until = now.addingTimeInterval(reading.freshFor)
        entries[key] = Entry(
            copy: copy, error: nil, from: now, until: until, end: until.addingTimeInterval(Self.staleLimit), use: clock)
        makeRoom()
        return copy
    }

    /// Notes that a reading failed.
    ///
    /// - Returns: An older copy that serves meanwhile, or the error.
    mutating func note(_ error: SessionError, for key: Key, at now: Date) -> Result<Copy, SessionError> {
        clock += 1
        if let old = entries[key], let copy = old.copy, now < old.end {
            entries[key]?.from = now
            entries[key]?.until = now.addingTimeInterval(Self.staleTime)
            return .success(copy)
        }
        guard !(error.underlying is LoadError) else { return .failure(error) }
        let time = error.code == .unreachable ? Self.failureTime : Self.refusalTime
        entries[key] = Entry(copy: nil, error: error, from: now, until: now.addingTimeInterval(time), end: now, use: clock)
        makeRoom()
        return .failure(error)
    }

    private mutating func makeRoom() {
        while entries.count > Self.limit, let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key { entries[oldest] = nil }
    }
}

extension MetadataShelf {
    /// How long a document without `max-age` is fresh, in seconds.
    static let usualTime: Double = 3600
    /// However short the server says: a storm of sign-ins must not become one of readings.
    static let shortestTime: Double = 300
    /// However long the server says: endpoints that were withdrawn must not be used for ever.
    static let longestTime: Double = 86_400

    /// For how long a document is fresh, by `Cache-Control` and `Age` (RFC 9111 §4.2.1), within limits.
    ///
    /// The document is public and without secrets, so that `no-store` is no reason to read it for each use.
    static func freshness(of head: HTTPResponse) -> Double {
        let fields = head.headerFields[values: .cacheControl].flatMap { $0.lowercased().split(separator: ",") }
        let directives = fields.map { field in String(field.filter { !$0.isWhitespace }) }
        if directives.contains(where: { ["no-store", "no-cache"].contains($0) }) { return shortestTime }
        let ages = directives.compactMap { directive -> Double? in
            guard directive.hasPrefix("max-age=") else { return nil }
            return seconds(directive.dropFirst(8).filter { $0 != "\"" }[...]) ?? 0
        }
        guard let age = ages.min() else { return usualTime }
        let spent = head.headerFields[.age].flatMap { seconds($0[...]) } ?? 0
        return min(max(age - spent, shortestTime), longestTime)
    }

    private static func seconds(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Double(text) : nil
    }
}
