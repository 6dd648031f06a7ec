import Synchronization

/// The part of a session that can be read without waiting for its engine: the credential in use, and the state for display.
final class SessionSnapshot: Sendable {
    private struct Content {
        var situation = SessionSituation()
        var subscribers: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
        var nextSubscriber: UInt64 = 0
    }

    private let content = Mutex(Content())
    /// The subscribers whose readers have ended. They have a separate lock: `onTermination` runs while the reader's task is locked, and an
    /// update waits for that task while it holds the lock of ``content``.
    private let ended = Mutex<[UInt64]>([])

    deinit {
        for subscriber in content.withLock({ $0.subscribers }).values { subscriber.finish() }
    }

    var held: HeldCredential? { content.withLock { $0.situation.held } }

    /// The same, but nil if an activity may produce another credential.
    var settled: HeldCredential? { content.withLock { $0.situation.settled } }

    var state: SessionState { content.withLock { $0.situation }.state }

    /// The number of subscribers.
    var subscriberCount: Int {
        content.withLock { content in
            removeEnded(from: &content)
            return content.subscribers.count
        }
    }

    private func removeEnded(from content: inout Content) {
        let numbers = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        for number in numbers { content.subscribers[number] = nil }
    }

    /// Returns a sequence that begins with the current state. A slow reader may miss states in between, but never the latest.
    func states(
        _ policy: AsyncStream<SessionState>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: policy)
        let id = content.withLock { content in
            defer { content.nextSubscriber += 1 }
            removeEnded(from: &content)
            content.subscribers[content.nextSubscriber] = continuation
            continuation.yield(content.situation.state)
            return content.nextSubscriber
        }
        continuation.onTermination = { [weak self] _ in
            self?.ended.withLock { $0.append(id) }
        }
        return stream
    }

    /// Updates the situation. States are yielded under the lock, so that they stay in order. Yielding does not run the reader's code.
    func update(_ situation: SessionSituation) {
        // The former situation is released after the lock: its error may contain one of the app's errors, whose deinit runs the app's code.
        _ = content.withLock { content in
            let former = content.situation
            content.situation = situation
            removeEnded(from: &content)
            guard !content.subscribers.isEmpty, case let state = situation.state, former.state != state else { return former }
            for subscriber in content.subscribers.values { subscriber.yield(state) }
            return former
        }
    }
}
