import AuthHub
import AuthHubPrimitives
import Platform

/// Refreshes the token of a running command before it expires.
struct TokenRenewal: Sendable {
    let account: SignedInAccount
    let console: Console

    /// The longest sleep, in seconds. After each, the wall clock is read again, because it may be set while the command is running.
    private static let longestSleep = 60.0
    /// The seconds that are added to the margin, because clocks are not exact.
    private static let tolerance = 1.0

    /// Runs until the task is cancelled, there is nothing to refresh, or the closure returns false.
    ///
    /// If the token cannot be refreshed, the user is warned once, and the command keeps the old token until an attempt succeeds: another
    /// process may sign in again.
    ///
    /// - Parameter use: Gives a new token to the command. Returns whether the command will need another one later.
    func run(after token: AccessToken, _ use: @Sendable (AccessToken) async throws(Failure) -> Bool) async {
        var schedule = RenewalSchedule()
        var token = token
        var outcome = RenewalSchedule.Outcome.renewed(expiresAt: token.expiresAt)
        var minimum = minimumLifetime(of: token)
        while let pause = schedule.pause(after: outcome, at: Date()), await sleeps(pause) {
            do throws(Failure) {
                let newToken = try await newestToken(minimum)
                guard newToken.value != token.value else {
                    throw Failure("not_refreshed", .failed, account.session.whyNotRenewed, hint: account.login)
                }
                guard try await use(newToken) else { return }
                token = newToken
                minimum = minimumLifetime(of: token)
                outcome = .renewed(expiresAt: token.expiresAt)
            } catch {
                guard !Task.isCancelled else { return }
                if outcome != .failed {
                    let end = token.expiresAt.map { "; its token expires \(Words.expiry($0, now: Date()))" } ?? ""
                    console.warn("the command has no new token: \(error.message)\(end); next: \(error.hint)")
                }
                outcome = .failed
            }
        }
    }

    private func newestToken(_ minimumLifetime: Double) async throws(Failure) -> AccessToken {
        do {
            return try await account.session.accessToken(minimumLifetime: .seconds(minimumLifetime))
        } catch {
            throw await account.failure(error)
        }
    }

    private func minimumLifetime(of token: AccessToken) -> Double {
        RenewalSchedule.margin(token.expiresAt?.timeIntervalSinceNow ?? 0) + Self.tolerance
    }

    /// Sleeps for a time of the wall clock.
    ///
    /// - Returns: false if the task was cancelled.
    private func sleeps(_ seconds: Double) async -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while true {
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else { return !Task.isCancelled }
            do {
                try await Task.sleep(for: .seconds(min(rest, Self.longestSleep)))
            } catch {
                return false
            }
        }
    }
}
