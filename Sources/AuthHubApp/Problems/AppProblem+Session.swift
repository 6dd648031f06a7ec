import AuthHub

extension AppProblem {
    /// Creates the problem for a session's error, in words for the user.
    ///
    /// - Parameters:
    ///   - provider: The name of the service.
    ///   - isSignedIn: Whether an account is still signed in.
    init(_ problem: SessionState.Problem, at provider: String, isSignedIn: Bool) {
        switch problem.code {
        case .cancelledByUser:
            self.init("You closed the sign-in page.", advice: "Nothing has changed. You can sign in at any time.", remedy: .signIn)
        case .denied:
            self.init("\(provider) denied the app access.", advice: sentence(problem.explanation), remedy: .signIn)
        case .timedOut:
            self.init("The sign-in was not finished in time.", advice: "You can sign in again at any time.", remedy: .signIn)
        case .signInNeeded:
            self.init(
                "Your sign-in at \(provider) is no longer valid.", advice: "\(sentence(problem.explanation)) Sign in again to continue.",
                remedy: .signIn)
        case .unreachable:
            self.init(
                "\(provider) cannot be reached.",
                advice: isSignedIn ? "You are still signed in. Check the network, then try again." : "Check the network, then try again.",
                remedy: isSignedIn ? .tryAgain : .signIn)
        case .storeFailed:
            self.init(
                "Your sign-in cannot be saved or read.", advice: sentence(problem.explanation), remedy: isSignedIn ? .tryAgain : .signIn)
        case .cannotSignInHere:
            self.init("The sign-in page cannot be shown.", advice: sentence(problem.explanation), remedy: .signIn)
        case .misconfigured:
            self.init("The app's settings for \(provider) are wrong.", advice: sentence(problem.explanation), remedy: .none)
        case .securityCheckFailed:
            self.init(
                "The response did not belong to this sign-in at \(provider) and was not used.", advice: sentence(problem.explanation),
                remedy: .signIn)
        default:
            self.init(
                "\(provider) did not respond as expected.", advice: sentence(problem.explanation), remedy: isSignedIn ? .tryAgain : .signIn)
        }
    }

    init(_ error: SessionError, at provider: String, isSignedIn: Bool) {
        self.init(SessionState.Problem(error), at: provider, isSignedIn: isSignedIn)
    }
}
