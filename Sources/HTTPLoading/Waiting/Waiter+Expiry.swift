extension Waiter {
    /// Waits for the value, but no longer than a point in time. Only one caller may wait.
    ///
    /// - Parameters:
    ///   - expiry: The limit on the clock of `timer`; nil if only the value or a cancellation ends the wait.
    ///   - expired: The result if the time is over first.
    ///   - cancelled: The result if the caller's task is cancelled first.
    func wait(
        until expiry: LoadClock.Instant?, on timer: LoadTimer?, orIfExpired expired: Value, orIfCancelled cancelled: Value
    ) async -> Value {
        guard let expiry, let timer else { return await wait(orIfCancelled: cancelled) }
        let alarm = timer.at(expiry) { self.settle(expired) }
        defer { timer.cancel(alarm) }
        return await wait(orIfCancelled: cancelled)
    }
}
