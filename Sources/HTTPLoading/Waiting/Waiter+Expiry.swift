extension Waiter {
    /// Waits for the value no longer than to a point in time. For one caller.
    ///
    /// - Parameters:
    ///   - expiry: On the clock of `timer`; nil where only the value or a cancellation ends the wait.
    ///   - expired: What a caller gets whose time is over before anything else.
    ///   - cancelled: What a caller gets whose task is cancelled before anything else.
    func wait(
        until expiry: LoadClock.Instant?, on timer: LoadTimer?, orIfExpired expired: Value, orIfCancelled cancelled: Value
    ) async -> Value {
        guard let expiry, let timer else { return await wait(orIfCancelled: cancelled) }
        let alarm = timer.at(expiry) { self.settle(expired) }
        defer { timer.cancel(alarm) }
        return await wait(orIfCancelled: cancelled)
    }
}
