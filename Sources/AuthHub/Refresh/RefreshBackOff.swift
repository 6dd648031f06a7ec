import OAuthProtocol
import Platform

/// Decides when a request may retry a failed refresh: after 1 second, then twice as long after each further failure, up to 5 minutes, or
/// longer if the server requests that (RFC 9110 §10.2.3). Without a request, there is no retry.
struct RefreshBackOff: Sendable {
    private(set) var failures = 0
    private var lastFailure: (error: SessionError, at: Date)?
    /// The earliest time of the next attempt; nil if no attempt has failed.
    private(set) var nextAttempt: Date?

    /// The longest wait between attempts that the session chooses itself, in seconds.
    static let maximumDelay = 300.0
    /// The longest `Retry-After` that is honoured, in seconds: a mistaken value must not stop all attempts.
    static let maximumRetryAfter = 3600.0

    /// The last error, as long as it is too early to retry; otherwise nil. Setting the clock back ends the wait.
    func problem(at now: Date) -> SessionError? {
        guard let (error, date) = lastFailure, let nextAttempt, date <= now, now < nextAttempt else { return nil }
        return error
    }

    /// A store failure is retried immediately: that costs the server nothing, and a credential that could not be stored must not wait.
    mutating func failed(_ error: SessionError, at now: Date) {
        guard error.code != .storeFailed else { return }
        let own = failures < 16 ? min(Self.maximumDelay, Double(1 << failures)) : Self.maximumDelay
        let asked = min(Self.maximumRetryAfter, Double(error.serverError?.retryAfter ?? 0))
        failures += 1
        lastFailure = (error, now)
        nextAttempt = now.addingTimeInterval(max(own, asked))
    }
}
