#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When an access token came and how long it lives: the rule by which a clock that may be wrong, or be set, tells its end.
///
/// `expires_in` is a span (RFC 6749 §5.1), so it counts from the moment the answer came, by the clock here. The server's clock has no
/// part in that: a clock that is an hour off, and stays so, is off at the end as at the beginning. The answer's `Date` field
/// (RFC 9110 §6.6.1) does not correct it, since a token that lives would then look dead to a clock that is ahead, and be renewed without
/// end.
///
/// - Where the answer seems to have come in the future, the clock has been set back since, or the record is of a machine with another
///   clock. Then the `Date` field says when it came, where it lies in the past: the clock is right now, as servers' clocks mostly are.
///   Where it does not say, the age is unknown, and the token counts as fresh until a server refuses it (status 401). To renew it at
///   once would be no cure: two machines whose clocks differ would renew each other's tokens without end.
/// - A clock that was set forward makes a token look dead before its end. That costs one renewal.
/// - A clock that was set back, and has passed the moment of the answer since, makes a token look alive behind its end. Then the server
///   refuses it, once.
///
/// Whatever a clock does, each setting of it costs one renewal, or one refusal and its replay, at most.
struct TokenLifetime: Sendable, Equatable {
    /// When the answer came, by the clock here.
    let receivedAt: Date
    /// When the server sent it, by its own clock; nil where it did not say.
    let sentAt: Date?
    let seconds: Double

    init(receivedAt: Date, sentAt: Date?, seconds: Double) {
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.seconds = max(0, seconds)
    }

    /// How long before its end a token is renewed: 60 seconds, or a fifth of its life where that is less.
    var margin: Double { min(60, seconds / 5) }

    /// Since when the token is taken to live; nil where its age is unknown.
    ///
    /// A clock that was set back by less than the margin is not worth a renewal: the margin makes up for it.
    func begin(at now: Date) -> Date? {
        if now >= receivedAt { return receivedAt }
        let reached = now.addingTimeInterval(margin)
        return [sentAt, receivedAt].compactMap { $0 }.first { $0 <= reached }
    }

    /// Whether the token can be used for so long without being renewed first.
    func isFresh(at now: Date, for minimumLifetime: Double = 0) -> Bool {
        let age = begin(at: now).map { now.timeIntervalSince($0) } ?? 0
        return age < seconds - margin && age + minimumLifetime <= seconds
    }

    /// Whether the token is known to have ended; one of unknown age is not.
    func isExpired(at now: Date) -> Bool {
        begin(at: now).map { now.timeIntervalSince($0) >= seconds } ?? false
    }
}
