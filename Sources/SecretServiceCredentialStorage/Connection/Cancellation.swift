import CredentialStorage
import Dispatch
import Synchronization

/// A flag that notifies a blocking call of its task's cancellation.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var whenCancelled: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
}

extension Cancellation {
    /// Whether the task was cancelled. Also true if the thread itself runs a cancelled task.
    var isCancelled: Bool { state.withLock { $0.isCancelled } || Task.isCancelled }

    func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.whenCancelled
        }
        action?()
    }

    /// Runs a call that an action can interrupt. One call at a time.
    func withAction<Success>(_ action: @escaping @Sendable () -> Void, _ call: () -> Success) -> Success {
        let isCancelled = state.withLock { state in
            state.whenCancelled = action
            return state.isCancelled
        }
        defer { state.withLock { $0.whenCancelled = nil } }
        if isCancelled { action() }
        return call()
    }

    /// Blocks the thread for a time, or until the task is cancelled.
    func pause(_ duration: DispatchTimeInterval) {
        let end = DispatchSemaphore(value: 0)
        _ = withAction({ end.signal() }) { end.wait(timeout: .now() + duration) }
    }
}
