import Dispatch
import Synchronization

/// Something that happens once, and that a test waits for without keeping a thread.
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

    /// To be called by one task at most.
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

/// Runs a task on a thread of its own, which may be blocked: Swift's own threads are needed by all other tests.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a thread of a test's own")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
