#if PostgreSQL
import Synchronization

/// A caller's request to cancel its own operation, and no other on the same connection.
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

    /// Marks the start of the operation.
    ///
    /// - Returns: False if it was cancelled before.
    func begin(_ interrupter: Interrupter) -> Bool {
        state.withLock { state in
            state.interrupter = interrupter
            return !state.isCancelled
        }
    }

    /// Marks the end of the operation.
    ///
    /// - Returns: Whether it was cancelled in between; the interrupter cannot be used again then.
    func end() -> Bool {
        state.withLock { state in
            state.interrupter = nil
            return state.isCancelled
        }
    }
}
#endif
