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
            self.init("You closed the sign-in page.", advice: "Nothing has changed. Sign in when you like.", remedy: .signIn)
        case .denied:
            self.init("\(provider) did not let the app in.", advice: sentence(problem.explanation), remedy: .signIn)
        case .timedOut:
            self.init("The sign-in was not finished in time.", advice: "Sign in again when you like.", remedy: .signIn)
        case .signInNeeded:
            self.init(
                "Your sign-in at \(provider) has ended.", advice: "\(sentence(problem.explanation)) Sign in again to go on.",
                remedy: .signIn)
        case .unreachable:
            self.init(
                "\(provider) cannot be reached.",
                advice: isSignedIn ? "You are still signed in. Check the network, then try again." : "Check the network, then try again.",
                remedy: isSignedIn ? .tryAgain : .signIn)
        case .storeFailed:
            self.init(
                "Your sign-in cannot be stored or read.", advice: sentence(problem.explanation), remedy: isSignedIn ? .tryAgain : .signIn)
        case .cannotSignInHere:
            self.init("The sign-in page cannot be shown.", advice: sentence(problem.explanation), remedy: .signIn)
        case .misconfigured:
            self.init("The app's settings for \(provider) do not fit.", advice: sentence(problem.explanation), remedy: .none)
        case .securityCheckFailed:
            self.init(
                "What came back was not \(provider)'s answer to this sign-in, and was not used.", advice: sentence(problem.explanation),
                remedy: .signIn)
        default:
            self.init(
                "\(provider) did not do what was asked.", advice: sentence(problem.explanation), remedy: isSignedIn ? .tryAgain : .signIn)
        }
    }

    init(_ error: SessionError, at provider: String, isSignedIn: Bool) {
        self.init(SessionState.Problem(error), at: provider, isSignedIn: isSignedIn)
    }
}
