extension Waiter {
    /// Waits for the value no longer than to a point in time. For one caller.
    ///
    /// - Parameters:
    ///   - expiry: On `clock`; nil where only the value or a cancellation ends the wait.
    ///   - expired: What a caller gets whose time is over before anything else.
    ///   - cancelled: What a caller gets whose task is cancelled before anything else.
    func wait(
        until expiry: LoadClock.Instant?, on clock: LoadClock, orIfExpired expired: Value, orIfCancelled cancelled: Value
    ) async -> Value {
        guard let expiry else { return await wait(orIfCancelled: cancelled) }
        let timer = Task {
            do throws(CancellationError) {
                try await clock.sleep(until: expiry)
                settle(expired)
            } catch {}
        }
        defer { timer.cancel() }
        return await wait(orIfCancelled: cancelled)
    }
}
