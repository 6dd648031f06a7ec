import HTTPLoading

/// Waits for a task for at most this long. If the task takes longer, it is cancelled and its result is ignored.
///
/// - Returns: nil if the time ran out first, or if the calling task was cancelled.
func result<Value: Sendable>(
    within limit: Duration, on clock: LoadClock, of work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    // The time begins now, and not when the task of the alarm does.
    let end = clock.now + limit
    let working = Task { _ = continuation.yield(await work()) }
    let alarm = Task {
        try? await clock.sleep(until: end)
        _ = continuation.yield(nil)
    }
    defer {
        working.cancel()
        alarm.cancel()
    }
    for await result in results { return result }
    return nil
}
