extension LoadClock {
    /// Sleeps until a timeout, for transports that measure it themselves, as ``AttemptTimeout`` says.
    ///
    /// A timeout that is noticed more than a second late says nothing about the server: the machine was asleep, or the process was stopped,
    /// and the response may already be in the socket. In this case, the function sleeps for another 10 seconds.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func sleep(untilTimeout instant: Instant) async throws(CancellationError) {
        try await sleep(until: instant)
        if LoadTimer.isLate(instant, at: now) { try await sleep(for: LoadTimer.grace) }
    }
}
