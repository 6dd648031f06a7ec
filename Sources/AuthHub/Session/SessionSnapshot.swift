import Synchronization

/// The part of a session that can be read without waiting for its engine: the credential in use, and the state for display.
final class SessionSnapshot: Sendable {
    private struct Subscribers {
        var continuations: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
        var next: UInt64 = 0
    }

    /// Never locked while a reader is notified: a program may read the state when its reader is cancelled.
    private let situation = Mutex(SessionSituation())
    private let subscribers = Mutex(Subscribers())
    /// The subscribers whose readers have ended. They have a separate lock: `onTermination` runs while the reader's task is locked, and an
    /// update waits for that task while it holds the lock of ``subscribers``.
    private let ended = Mutex<[UInt64]>([])

    deinit {
        for subscriber in subscribers.withLock({ $0.continuations }).values { subscriber.finish() }
    }

    var held: HeldCredential? { situation.withLock { $0.held } }

    /// The same, but nil if an activity may produce another credential.
    var settled: HeldCredential? { situation.withLock { $0.settled } }

    var state: SessionState { situation.withLock { $0 }.state }

    /// The number of subscribers.
    var subscriberCount: Int {
        subscribers.withLock { subscribers in
            removeEnded(from: &subscribers)
            return subscribers.continuations.count
        }
    }

    private func removeEnded(from subscribers: inout Subscribers) {
        let numbers = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        for number in numbers { subscribers.continuations[number] = nil }
    }

    /// Returns a sequence that begins with the current state. A slow reader may miss states in between, but never the latest.
    func states(
        _ policy: AsyncStream<SessionState>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self, bufferingPolicy: policy)
        let id = subscribers.withLock { subscribers in
            defer { subscribers.next += 1 }
            removeEnded(from: &subscribers)
            subscribers.continuations[subscribers.next] = continuation
            continuation.yield(state)
            return subscribers.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.ended.withLock { $0.append(id) }
        }
        return stream
    }

    /// Updates the situation. States are yielded under the lock, so that they stay in order. Yielding does not run the reader's code.
    func update(_ situation: SessionSituation) {
        // The former situation is released after the locks: its error may contain one of the app's errors, whose deinit runs the app's code.
        _ = subscribers.withLock { subscribers in
            let former = self.situation.withLock { current in
                defer { current = situation }
                return current
            }
            removeEnded(from: &subscribers)
            guard !subscribers.continuations.isEmpty, case let state = situation.state, former.state != state else { return former }
            for subscriber in subscribers.continuations.values { subscriber.yield(state) }
            return former
        }
    }
}
