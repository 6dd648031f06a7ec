import HTTPLoading
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of the metadata cache: how long metadata is fresh, which copy is used if it cannot be read again, and which entry is evicted.
struct MetadataShelf: Shelf {
    struct Key: Sendable, Hashable {
        let issuer: Issuer
        let quirks: ProviderQuirks.DiscoveryQuirks
        /// Whether all documents of the issuer were read, not only the first.
        var isCompleted = false
    }

    /// The metadata read from an issuer.
    struct Reading: Sendable {
        let metadata: ServerMetadata
        /// The rest of the search, for the issuer's other documents.
        var rest: MetadataSearch<ServerMetadata>?
        /// How long the metadata is fresh, in seconds.
        let freshFor: Double
    }

    /// A cached reading, with its number.
    struct Copy: Sendable {
        let reading: Reading
        let number: UInt64

        var metadata: ServerMetadata { reading.metadata }
    }

    private struct Entry {
        var copy: Copy?
        var error: SessionError?
        /// When the metadata was read, or the last attempt failed. If the clock was set back since, the entry is stale.
        var from: Date
        var until: Date
        /// When the copy can no longer be used, even if nothing newer is available.
        var end: Date
        var use: UInt64
    }

    /// The maximum number of cached servers. The least recently used one is evicted.
    static let limit = 64
    /// How long a response that is not valid metadata is cached as an error, in seconds.
    static let refusalTime: Double = 30
    /// How long the metadata is not requested again after a server responded that it is unavailable, in seconds. If no response arrived,
    /// the next caller retries.
    static let failureTime: Double = 5
    /// The time until the next attempt if one failed and an old copy is used instead, in seconds.
    static let staleTime: Double = 60
    /// How long a stale copy is used if nothing newer is available, in seconds.
    static let staleLimit: Double = 7 * 86_400

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    var count: Int { entries.count }

    mutating func find(_ key: Key, newerThan old: UInt64? = nil, at now: Date) -> ShelfFinding<Copy> {
        guard let entry = entries[key], entry.from <= now, now < entry.until else { return .missing }
        clock += 1
        entries[key]?.use = clock
        if let copy = entry.copy, now < entry.end { return .usable(copy) }
        return entry.error.map { .failed($0) } ?? .missing
    }

    mutating func keep(_ reading: Reading, for key: Key, at now: Date) -> Copy {
        clock += 1
        let copy = Copy(reading: reading, number: clock)
        let until = now.addingTimeInterval(reading.freshFor)
        entries[key] = Entry(
            copy: copy, error: nil, from: now, until: until, end: until.addingTimeInterval(Self.staleLimit), use: clock)
        makeRoom()
        return copy
    }

    mutating func note(_ error: SessionError, for key: Key, at now: Date) -> Result<Copy, SessionError> {
        clock += 1
        if let old = entries[key], let copy = old.copy, now < old.end {
            entries[key]?.from = now
            entries[key]?.until = now.addingTimeInterval(Self.staleTime)
            return .success(copy)
        }
        guard !error.isWithoutResponse else { return .failure(error) }
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
    /// The minimum, whatever the server says: many sign-ins must not cause as many requests for metadata.
    static let shortestTime: Double = 300
    /// The maximum, whatever the server says: endpoints that were withdrawn must not be used forever.
    static let longestTime: Double = 86_400

    /// Returns how long a document is fresh according to `Cache-Control` and `Age` (RFC 9111 §4.2.1), within limits.
    ///
    /// The document is public and contains no secret, so `no-store` does not mean that every use has to fetch it.
    ///
    /// - Parameter usualTime: How long a document without `max-age` is fresh, in seconds.
    static func freshness(of head: HTTPResponse, usually usualTime: Double = usualTime) -> Double {
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
