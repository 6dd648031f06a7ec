import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a refresh that failed may be tried again for the next request: after 1 second, twice as long after each further failure, at most
/// 5 minutes; later where the server asks for that (RFC 9110 §10.2.3). Nothing is tried where nobody asks.
struct RefreshBackOff: Sendable {
    private(set) var failures = 0
    private var lastFailure: (error: SessionError, at: Date)?
    /// Before this no request leads to another try; nil where nothing has failed.
    private(set) var nextTry: Date?

    /// The longest wait between tries that the session sets itself, in seconds.
    static let maximumDelay = 300.0
    /// The longest `Retry-After` that is honoured, in seconds: a mistaken one must not end all tries.
    static let maximumRetryAfter = 3600.0

    /// The last error, while trying again would be too soon. A clock that was set back ends the wait.
    func problem(at now: Date) -> SessionError? {
        guard let (error, date) = lastFailure, let nextTry, date <= now, now < nextTry else { return nil }
        return error
    }

    /// A store that fails is asked again at once: that costs the server nothing, and what it did not take must not be kept waiting.
    mutating func failed(_ error: SessionError, at now: Date) {
        guard error.code != .storeFailed else { return }
        let own = failures < 16 ? min(Self.maximumDelay, Double(1 << failures)) : Self.maximumDelay
        let asked = min(Self.maximumRetryAfter, Double(error.serverError?.retryAfter ?? 0))
        failures += 1
        lastFailure = (error, now)
        nextTry = now.addingTimeInterval(max(own, asked))
    }
}
