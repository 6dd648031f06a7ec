import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache that sessions share. Concurrent callers that need the same document share one request.
final class SharedCache<Rules: ShelfRules>: Sendable {
    typealias Outcome = Result<Shelf<Rules>.Copy, SessionError>
    typealias Reading = Result<Rules.Reading, SessionError>

    private struct State {
        var shelf = Shelf<Rules>()
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
    ) async throws(SessionError) -> Shelf<Rules>.Copy {
        let (outcomes, own) = AsyncStream<Outcome>.makeStream()
        let (finding, isFirst) = state.withLock { state -> (ShelfFinding<Shelf<Rules>.Copy>, Bool) in
            if old != nil, state.waiting[key] != nil {
                state.waiting[key]?.append(own)
                return (.missing, false)
            }
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
