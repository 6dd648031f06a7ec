import Platform
import Synchronization

/// A cache that sessions share. Concurrent callers that need the same document share one request.
final class SharedCache<Rules: CacheRules>: Sendable {
    typealias Outcome = Result<CacheEntries<Rules>.Copy, SessionError>
    typealias Reading = Result<Rules.Reading, SessionError>

    private struct State {
        var entries = CacheEntries<Rules>()
        /// The callers that wait for documents being read.
        var waiting: [Rules.Key: [AsyncStream<Outcome>.Continuation]] = [:]

        /// Adds a caller that waits for a document.
        mutating func wait(for key: Rules.Key) -> Place {
            let (outcomes, own) = AsyncStream<Outcome>.makeStream()
            let isFirst = waiting[key] == nil
            waiting[key, default: []].append(own)
            return .waiting(outcomes, isFirst: isFirst)
        }
    }

    private enum Place {
        case served(Outcome)
        /// The first one to wait reads the document.
        case waiting(AsyncStream<Outcome>, isFirst: Bool)
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
    ) async throws(SessionError) -> CacheEntries<Rules>.Copy {
        let place = state.withLock { state -> Place in
            if old != nil, state.waiting[key] != nil { return state.wait(for: key) }
            return switch state.entries.find(key, newerThan: old, at: now()) {
            case .usable(let copy): .served(.success(copy))
            case .failed(let error): .served(.failure(error))
            case .missing: state.wait(for: key)
            }
        }
        switch place {
        case .served(let outcome): return try outcome.get()
        case .waiting(let outcomes, let isFirst):
            if isFirst { Task { self.finish(key, await read(), at: now()) } }
            for await outcome in outcomes { return try outcome.get() }
        }
        throw SessionError(.cancelledByProgram, "the task was cancelled")
    }

    private func finish(_ key: Rules.Key, _ reading: Reading, at now: Date) {
        let (outcome, waiting) = state.withLock { state -> (Outcome, [AsyncStream<Outcome>.Continuation]) in
            let outcome: Outcome =
                switch reading {
                case .success(let read): .success(state.entries.keep(read, for: key, at: now))
                case .failure(let error): state.entries.note(error, for: key, at: now)
                }
            return (outcome, state.waiting.removeValue(forKey: key) ?? [])
        }
        for continuation in waiting { continuation.yield(outcome) }
        for continuation in waiting { continuation.finish() }
    }
}
