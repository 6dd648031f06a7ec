import Dispatch
import Synchronization

/// An event that happens once, which a test awaits without blocking a thread.
final class Event: Sendable {
    private struct State {
        var hasHappened = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func signal() {
        let waiter = state.withLock { state in
            state.hasHappened = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for the event. Only one task may call this.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasHappened { state.waiter = continuation }
                return state.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }
}

/// Runs a task on a separate thread that may block, because all other tests need the threads that tasks share.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a thread of a test's own")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
