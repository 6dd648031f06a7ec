import Platform

/// The rules for one kind of cached document.
protocol CacheRules: Sendable {
    associatedtype Key: Sendable, Hashable
    associatedtype Reading: CacheReading

    /// How long a stale copy is used if nothing newer is available, in seconds.
    static var staleLimit: Double { get }
    /// Returns how long an error is cached if the server responded, in seconds. If no response arrived, the next caller retries.
    static func cacheTime(of error: SessionError) -> Double
}

/// A document that was read from a server.
protocol CacheReading: Sendable {
    /// How long the document is fresh, in seconds.
    var freshFor: Double { get }
}

/// The entries of a cache. It decides which of them are still used, which have to be read again, and which are evicted.
struct CacheEntries<Rules: CacheRules>: Sendable {
    typealias Key = Rules.Key
    typealias Reading = Rules.Reading

    /// A cached reading, with its number.
    struct Copy: Sendable {
        let reading: Reading
        let number: UInt64
        let readAt: Date
    }

    private struct Entry {
        var copy: Copy?
        var error: SessionError?
        /// When the document was last requested because a copy did not help, or when a request last failed; nil if neither has happened.
        var soughtAt: Date?
        /// When the document was read, or the last attempt failed. If the clock was set back since, the entry is stale.
        var from: Date
        var until: Date
        /// When the copy can no longer be used, even if nothing newer is available.
        var end: Date
        var use: UInt64
    }

    /// The maximum number of entries. The least recently used one is evicted.
    static var limit: Int { 64 }
    /// The minimum time between two requests because a copy did not help, in seconds. Otherwise, each token with an invented key ID would
    /// cause a request.
    static var coolDown: Double { 60 }
    /// The time until the next attempt if one failed and an old copy is used instead, in seconds.
    private static var staleTime: Double { 60 }

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    var count: Int { entries.count }

    /// Finds a copy that can still be used.
    ///
    /// - Parameter old: The number of a copy that did not help; nil if any copy will do.
    mutating func find(_ key: Key, newerThan old: UInt64? = nil, at now: Date) -> CacheFinding<Copy> {
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

    /// Caches a reading.
    mutating func keep(_ reading: Reading, for key: Key, at now: Date) -> Copy {
        clock += 1
        let copy = Copy(reading: reading, number: clock, readAt: now)
        let until = now.addingTimeInterval(reading.freshFor)
        insert(
            Entry(
                copy: copy, soughtAt: entries[key]?.soughtAt, from: now, until: until, end: until.addingTimeInterval(Rules.staleLimit),
                use: clock), for: key)
        return copy
    }

    /// Records that reading failed.
    ///
    /// - Returns: An older copy to use for now; otherwise the error.
    mutating func note(_ error: SessionError, for key: Key, at now: Date) -> Result<Copy, SessionError> {
        clock += 1
        if var old = entries[key], let copy = old.copy, now < old.end {
            (old.soughtAt, old.from, old.until) = (now, now, now.addingTimeInterval(Self.staleTime))
            entries[key] = old
            return .success(copy)
        }
        guard !error.isWithoutResponse else { return .failure(error) }
        insert(Entry(error: error, from: now, until: now.addingTimeInterval(Rules.cacheTime(of: error)), end: now, use: clock), for: key)
        return .failure(error)
    }

    private mutating func insert(_ entry: Entry, for key: Key) {
        entries[key] = entry
        while entries.count > Self.limit, let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key { entries[oldest] = nil }
    }
}

/// The result of looking for a copy.
enum CacheFinding<Copy: Sendable>: Sendable {
    case usable(Copy)
    /// Reading it failed a moment ago.
    case failed(SessionError)
    case missing
}
