import Platform

/// The times of the refreshes while a command is running.
struct RenewalSchedule: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// A new token; nil if the server did not say when it expires.
        case renewed(expiresAt: Date?)
        /// The command still has the old token.
        case failed
    }

    private var failures = 0

    /// How long before its expiry a token is refreshed: 60 seconds, or a fifth of the remaining lifetime if that is shorter.
    static func margin(_ remaining: Double) -> Double { min(60, max(0, remaining) / 5) }

    private static let shortestPause = 1.0
    private static let longestPause = 60.0

    /// Returns the number of seconds to wait before the next attempt; nil if none is needed.
    mutating func pause(after outcome: Outcome, at now: Date) -> Double? {
        switch outcome {
        case .renewed(nil):
            failures = 0
            return nil
        case .renewed(let end?):
            failures = 0
            let remaining = end.timeIntervalSince(now)
            return max(Self.shortestPause, remaining - Self.margin(remaining))
        case .failed:
            failures += 1
            return min(Self.longestPause, pow2(failures - 1))
        }
    }

    private func pow2(_ exponent: Int) -> Double { Double(1 << min(exponent, 10)) }
}
