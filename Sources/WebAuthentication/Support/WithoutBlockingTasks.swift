import Dispatch

/// Runs what waits for the system on a thread of its own, so that none of the few that tasks share is taken away.
func withoutBlockingTasks<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
