import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of a cache: what is still used, and what has to be read again.
protocol Shelf: Sendable {
    associatedtype Key: Sendable, Hashable
    associatedtype Reading: Sendable
    associatedtype Copy: Sendable

    init()
    /// - Parameter old: The number of a copy that did not help; nil if any copy will do.
    mutating func find(_ key: Key, newerThan old: UInt64?, at now: Date) -> ShelfFinding<Copy>
    /// Caches a reading.
    mutating func keep(_ reading: Reading, for key: Key, at now: Date) -> Copy
    /// Records that reading failed.
    ///
    /// - Returns: An older copy to use for now; otherwise the error.
    mutating func note(_ error: SessionError, for key: Key, at now: Date) -> Result<Copy, SessionError>
}

enum ShelfFinding<Copy: Sendable>: Sendable {
    case usable(Copy)
    /// Reading it failed a moment ago.
    case failed(SessionError)
    case missing
}

/// A cache that sessions share. Concurrent callers that need the same document share one request.
final class SharedCache<Rules: Shelf>: Sendable {
    typealias Outcome = Result<Rules.Copy, SessionError>
    typealias Reading = Result<Rules.Reading, SessionError>

    private struct State {
        var shelf = Rules()
        /// The callers that wait for documents being read.
        var waiting: [Rules.Key: [AsyncStream<Outcome>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - old: The number of a copy that did not help; nil if any copy will do. The document is then read
    ///     again, if the rules allow it.
    ///   - now: The wall clock.
    ///   - read: Reads the document. Runs in a separate task, which continues even if the caller that started it is cancelled.
    /// - Throws: ``SessionError``, `.cancelledByProgram` for a caller that is cancelled while it waits.
    func copy(
        for key: Rules.Key, newerThan old: UInt64? = nil, now: @escaping @Sendable () -> Date,
        read: @escaping @Sendable () async -> Reading
    ) async throws(SessionError) -> Rules.Copy {
        let (outcomes, own) = AsyncStream<Outcome>.makeStream()
        let (finding, isFirst) = state.withLock { state -> (ShelfFinding<Rules.Copy>, Bool) in
            let finding = state.shelf.find(key, newerThan: old, at: now())
            guard case .missing = finding else { return (finding, false) }
            state.waiting[key, default: []].append(own)
            return (finding, state.waiting[key]?.count == 1)
        }
        switch finding {
        case .usable(let copy): return copy
        case .failed(let error): throw error
        case .missing: break
        }
        if isFirst { Task { self.finish(key, await read(), at: now()) } }
        for await outcome in outcomes { return try outcome.get() }
        throw SessionError(.cancelledByProgram, "the task was cancelled")
    }

    private func finish(_ key: Rules.Key, _ reading: Reading, at now: Date) {
        let (outcome, waiting) = state.withLock { state -> (Outcome, [AsyncStream<Outcome>.Continuation]) in
            let outcome: Outcome =
                switch reading {
                case .success(let read): .success(state.shelf.keep(read, for: key, at: now))
                case .failure(let error): state.shelf.note(error, for: key, at: now)
                }
            return (outcome, state.waiting.removeValue(forKey: key) ?? [])
        }
        for continuation in waiting { continuation.yield(outcome) }
        for continuation in waiting { continuation.finish() }
    }
}

/// The cache of servers' metadata.
typealias MetadataCache = SharedCache<MetadataShelf>
/// The cache of servers' keys.
typealias KeySetCache = SharedCache<KeySetShelf>
