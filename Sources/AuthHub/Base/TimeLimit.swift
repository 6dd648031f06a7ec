import HTTPLoading

/// Waits for a piece of work no longer than this. One that takes longer is cancelled, and not waited for any more.
///
/// - Returns: nil where the time was over first, or the calling task was cancelled.
func result<Value: Sendable>(
    within limit: Duration, on clock: LoadClock, of work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    let working = Task { _ = continuation.yield(await work()) }
    let alarm = Task {
        try? await clock.sleep(for: limit)
        _ = continuation.yield(nil)
    }
    defer {
        working.cancel()
        alarm.cancel()
    }
    for await result in results { return result }
    return nil
}
