import JOSE

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of the cache of servers' keys: how long they are used, and when they are read again because no key fits a token.
struct KeySetShelf: Shelf {
    struct Key: Sendable, Hashable {
        /// The server, so that the keys of one server never verify the tokens of another (RFC 8725 §3.8).
        let server: String
        let url: String
        /// Whether the keys are for messages that anyone can send. They must not cause the keys for sign-ins to be read less often.
        var isForStrangers = false
    }

    /// The keys read from a server.
    struct Reading: Sendable {
        let keys: JSONWebKeySet
        /// How long the keys are fresh, in seconds.
        let freshFor: Double
    }

    /// A cached reading, with its number.
    struct Copy: Sendable {
        let keys: JSONWebKeySet
        let number: UInt64
        let readAt: Date
    }

    private struct Entry {
        var copy: Copy?
        var error: SessionError?
        /// When the keys were last requested because no key fitted a token, or in vain; nil if they never were.
        var soughtAt: Date?
        /// When the keys were read, or the last attempt failed. If the clock was set back since, the entry is stale.
        var from: Date
        var until: Date
        /// When the copy can no longer be used, even if nothing newer is available: keys that were withdrawn must not be used forever.
        var end: Date
        var use: UInt64
    }

    /// The maximum number of cached key sets. The least recently used one is evicted.
    static let limit = 64
    /// How long a key set without `max-age` is fresh, in seconds.
    static let usualTime: Double = 600
    /// The minimum time between two requests because no key fits a token, in seconds: tokens with invented key IDs must not cause a request
    /// each.
    static let coolDown: Double = 60
    /// How long an error is cached if the server responded, in seconds.
    static let failureTime: Double = 5
    /// The time until the next attempt if one failed and an old copy is used instead, in seconds.
    static let staleTime: Double = 60
    /// How long a stale copy is used if nothing newer is available, in seconds.
    static let staleLimit: Double = 86_400

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    var count: Int { entries.count }

    mutating func find(_ key: Key, newerThan old: UInt64? = nil, at now: Date) -> ShelfFinding<Copy> {
        guard let entry = entries[key], entry.from <= now else { return .missing }
        clock += 1
        entries[key]?.use = clock
        if let copy = entry.copy, now < entry.end {
            guard let old, copy.number <= old else { return now < entry.until ? .usable(copy) : .missing }
            if let soughtAt = entry.soughtAt, soughtAt <= now, now < soughtAt.addingTimeInterval(Self.coolDown) { return .usable(copy) }
            entries[key]?.soughtAt = now
            return .missing
        }
        guard now < entry.until else { return .missing }
        return entry.error.map { .failed($0) } ?? .missing
    }

    mutating func keep(_ reading: Reading, for key: Key, at now: Date) -> Copy {
        clock += 1
        let copy = Copy(keys: reading.keys, number: clock, readAt: now)
        let until = now.addingTimeInterval(reading.freshFor)
        entries[key] = Entry(
            copy: copy, error: nil, soughtAt: entries[key]?.soughtAt, from: now, until: until,
            end: until.addingTimeInterval(Self.staleLimit), use: clock)
        makeRoom()
        return copy
    }

    mutating func note(_ error: SessionError, for key: Key, at now: Date) -> Result<Copy, SessionError> {
        clock += 1
        if let old = entries[key], let copy = old.copy, now < old.end {
            entries[key]?.soughtAt = now
            entries[key]?.from = now
            entries[key]?.until = now.addingTimeInterval(Self.staleTime)
            return .success(copy)
        }
        guard !error.isWithoutResponse else { return .failure(error) }
        entries[key] = Entry(
            copy: nil, error: error, from: now, until: now.addingTimeInterval(Self.failureTime), end: now, use: clock)
        makeRoom()
        return .failure(error)
    }

    private mutating func makeRoom() {
        while entries.count > Self.limit, let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key { entries[oldest] = nil }
    }
}
