#if PostgreSQL
import Synchronization

/// A caller's wish to end its own piece of work, and no other on the same connection.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var interrupter: Interrupter?
    }

    private let state = Mutex(State())

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.interrupter?.fire()
        }
    }

    /// - Returns: False where the wish came before the work.
    func begin(_ interrupter: Interrupter) -> Bool {
        state.withLock { state in
            state.interrupter = interrupter
            return !state.isCancelled
        }
    }

    /// - Returns: Whether the wish came in the course of the work; the interrupter is used up then.
    func end() -> Bool {
        state.withLock { state in
            state.interrupter = nil
            return state.isCancelled
        }
    }
}
#endif
