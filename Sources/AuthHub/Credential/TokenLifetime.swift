import Platform

/// When an access token was received and how long it is valid. Decides whether the token has expired, even if the local clock is wrong or
/// is set.
///
/// `expires_in` is a duration (RFC 6749 §5.1), so it counts from the time the response was received, by the local clock. The server's clock
/// does not matter: if the local clock is an hour off and stays so, it is off by the same hour when the token expires. The response's
/// `Date` field (RFC 9110 §6.6.1) does not correct the time. If it did, a valid token would look expired to a clock that is ahead, and
/// would be refreshed endlessly.
///
/// - If the response seems to have been received in the future, the clock has been set back since, or the record comes from a machine with
///   a different clock. In that case the `Date` field is used as the time of receipt, if it is in the past: the local clock is then assumed
///   to be correct now, as servers' clocks mostly are. If there is no such field, the age is unknown, and the token counts as fresh until a
///   server rejects it (status 401). Refreshing it immediately would not help: two machines whose clocks differ would refresh each other's
///   tokens endlessly.
/// - If a clock was set forward, a token looks expired too early. That costs one refresh.
/// - If a clock was set back and has since passed the time of the response, a token looks valid after its expiry. The server then rejects
///   it once.
///
/// Each time the clock is set, it costs at most one refresh, or one rejected request and its retry.
struct TokenLifetime: Sendable, Equatable {
    /// When the response was received, by the local clock.
    let receivedAt: Date
    /// When the server sent the response, by its own clock; nil if the response did not say.
    let sentAt: Date?
    let seconds: Double

    init(receivedAt: Date, sentAt: Date?, seconds: Double) {
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.seconds = max(0, seconds)
    }

    /// How long before its expiry a token is refreshed: 60 seconds, or a fifth of its lifetime if that is shorter.
    var margin: Double { min(60, seconds / 5) }

    /// Returns the time from which the token's lifetime is counted; nil if its age is unknown.
    ///
    /// A clock that was set back by less than the margin does not cause a refresh, because the margin compensates for it.
    func begin(at now: Date) -> Date? {
        if now >= receivedAt { return receivedAt }
        let reached = now.addingTimeInterval(margin)
        return [sentAt, receivedAt].compactMap { $0 }.first { $0 <= reached }
    }

    /// Whether the token can be used for this many seconds without being refreshed first.
    func isFresh(at now: Date, for minimumLifetime: Double = 0) -> Bool {
        let age = begin(at: now).map { now.timeIntervalSince($0) } ?? 0
        return age < seconds - margin && age + minimumLifetime <= seconds
    }

    /// Whether the token is known to have expired. A token of unknown age is not.
    func isExpired(at now: Date) -> Bool {
        begin(at: now).map { now.timeIntervalSince($0) >= seconds } ?? false
    }
}
