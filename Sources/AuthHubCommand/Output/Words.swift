import Platform

/// Durations in human-readable words.
enum Words {
    /// Returns a duration, such as `3 s`, `12 min`, `7 h 30 min`, `183 days`: rounded to the last unit that is shown, so that a second less than 8 hours is `8 h`.
    static func duration(_ seconds: Double) -> String {
        let whole = seconds > 0 ? Int(min(seconds, 9e15).rounded()) : 0
        let minutes = (whole + 30) / 60
        return switch (whole, minutes) {
        case (..<120, _): "\(whole) s"
        case (_, ..<120): "\(minutes) min"
        case (_, ..<2880): "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
        default: "\((whole + 43_200) / 86_400) days"
        }
    }

    /// Returns a count, such as `1 page`, `3 pages`.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// Describes when something expires, relative to now, after a verb such as “expires”.
    static func expiry(_ date: Date, now: Date) -> String {
        "\(shortExpiry(date, now: now)) (\(date.formatted(.iso8601)))"
    }

    /// Describes when an access token expires and whether it is refreshed, as a clause with a subject; nil if nothing is known.
    static func token(expiresAt date: Date?, isRenewable: Bool, now: Date) -> String? {
        let verbs = [date.map { "expires \(expiry($0, now: now))" }, isRenewable ? "is refreshed automatically" : nil].compactMap(\.self)
        return verbs.isEmpty ? nil : "the token " + verbs.joined(separator: ", and ")
    }

    /// Describes the same as ``expiry(_:now:)`` in little space.
    static func shortExpiry(_ date: Date?, now: Date) -> String {
        guard let left = date?.timeIntervalSince(now) else { return "unknown" }
        return left > 0 ? "in \(duration(left))" : "\(duration(-left)) ago"
    }
}
