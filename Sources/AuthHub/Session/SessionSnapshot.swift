import Synchronization

/// What can be read of a session without waiting for its engine: the credential in use, and the state for people.
final class SessionSnapshot: Sendable {
    private struct Content {
        var held: HeldCredential?
        var state = SessionState.unknown
        var subscribers: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
        var nextSubscriber: UInt64 = 0
    }

    private let content = Mutex(Content())

    deinit {
        for subscriber in content.withLock({ $0.subscribers }).values { subscriber.finish() }
    }

    var held: HeldCredential? { content.withLock { $0.held } }

    var state: SessionState { content.withLock { $0.state } }

    /// How many listen.
    var subscriberCount: Int { content.withLock { $0.subscribers.count } }

    /// A sequence that begins with the state of now. A slow reader misses states in between, never the newest.
    func states() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: .bufferingNewest(1))
        let id = content.withLock { content in
            defer { content.nextSubscriber += 1 }
            content.subscribers[content.nextSubscriber] = continuation
            continuation.yield(content.state)
            return content.nextSubscriber
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { $0.subscribers[id] = nil }
        }
        return stream
    }

    /// States are given to the streams under the lock, so that none comes behind a newer one; a stream takes them in without running what
    /// reads it.
    func update(held: HeldCredential?, state: SessionState) {
        content.withLock { content in
            content.held = held
            guard content.state != state else { return }
            content.state = state
            for subscriber in content.subscribers.values { subscriber.yield(state) }
        }
    }
}
