import AuthHub

extension AppProblem {
    /// Creates the problem for a sign-out; returns nil if it was completed.
    init?(_ report: SignOutReport, at provider: String) {
        if let problem = report.problem {
            self.init(
                "You are still signed in at \(provider): your tokens could not be deleted from this device.",
                advice: sentence(problem.explanation),
                remedy: .tryAgain)
            return
        }
        switch report.revocation {
        case .notNeeded, .done: return nil
        case .failed:
            self.init("You are signed out here, but \(provider) could not be notified.", advice: Self.livesOn(provider), remedy: .none)
        case .notOffered:
            self.init(
                "You are signed out here. \(provider) does not support sign-out by apps.", advice: Self.livesOn(provider), remedy: .none)
        }
    }

    /// Creates the problem for a log-out page that could not be shown.
    static func noLogoutPage(_ page: String, of provider: String) -> Self {
        Self(
            "You are signed out here, but \(provider)'s log-out page could not be opened in a browser.",
            advice: "You are still signed in there in your browser. Open \(page) to sign out.", remedy: .none)
    }

    private static func livesOn(_ provider: String) -> String {
        "The app's tokens stay valid there until they expire. You can revoke them in your account's settings at \(provider)."
    }
}
