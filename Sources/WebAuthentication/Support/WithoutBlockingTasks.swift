import Dispatch

/// Runs a blocking call on a separate thread, so that it does not block one of the few threads that tasks share.
func withoutBlockingTasks<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
