import Synchronization

/// What can be read of a session without waiting for its engine: the credential in use, and the state for people.
final class SessionSnapshot: Sendable {
    private struct Content {
        var situation = SessionSituation()
        var subscribers: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
        var nextSubscriber: UInt64 = 0
    }

    private let content = Mutex(Content())

    deinit {
        for subscriber in content.withLock({ $0.subscribers }).values { subscriber.finish() }
    }

    var held: HeldCredential? { content.withLock { $0.situation.held } }

    /// The same where nothing is under way that may bring another.
    var settled: HeldCredential? { content.withLock { $0.situation.settled } }

    var state: SessionState { content.withLock { $0.situation }.state }

    /// How many listen.
    var subscriberCount: Int { content.withLock { $0.subscribers.count } }

    /// A sequence that begins with the state of now. A slow reader misses states in between, never the newest.
    func states(
        _ policy: AsyncStream<SessionState>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: policy)
        let id = content.withLock { content in
            defer { content.nextSubscriber += 1 }
            content.subscribers[content.nextSubscriber] = continuation
            continuation.yield(content.situation.state)
            return content.nextSubscriber
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }

    /// States are given to the streams under the lock, so that none comes behind a newer one; a stream takes them in without running what
    /// reads it.
    func update(_ situation: SessionSituation) {
        // The former goes only when the lock is free: its error may hold one of someone else's, whose end runs their code.
        _ = content.withLock { content in
            let former = content.situation
            content.situation = situation
            guard !content.subscribers.isEmpty, case let state = situation.state, former.state != state else { return former }
            for subscriber in content.subscribers.values { subscriber.yield(state) }
            return former
        }
    }
}
