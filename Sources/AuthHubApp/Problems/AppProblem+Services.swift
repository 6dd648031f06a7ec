import AniListAPI
import AuthHub
import GitHubAPI
import HTTPLoading

extension AppProblem {
    /// Creates the problem for an error of GitHub's API.
    init(_ error: GitHubError, at provider: String) {
        switch error.code {
        case .notLoaded: self.init(error.underlying, at: provider)
        case .notSignedIn: self.init(endedAt: provider)
        case .rateLimited: self.init(busy: provider, retryAfter: error.retryAfter)
        case .forbidden, .notFound:
            self.init(
                "\(provider) does not let the app see this.",
                advice: "\(sentence(error.explanation)) Ask for access there, then try again.",
                remedy: .tryAgain)
        default: self.init(unusable: error.explanation, at: provider)
        }
    }

    /// Creates the problem for an error of AniList's API.
    init(_ error: AniListError, at provider: String) {
        switch error.code {
        case .notLoaded: self.init(error.underlying, at: provider)
        case .notSignedIn: self.init(endedAt: provider)
        case .rateLimited: self.init(busy: provider, retryAfter: error.retryAfter)
        default: self.init(unusable: error.explanation, at: provider)
        }
    }

    /// Creates the problem for a service at which the credential was replaced during each request.
    static func restless(_ provider: String) -> Self {
        Self(
            "Your sign-in at \(provider) keeps changing.",
            advice: "Another program may be signing in at the same time. Try again in a few minutes.", remedy: .tryAgain)
    }

    /// Creates the problem for a sign-in without an ID token, such as one from before the app requested ID tokens.
    init(withoutIdentityAt provider: String) {
        self.init("\(provider) did not say who signed in.", advice: "Sign in again to continue.", remedy: .signIn)
    }

    private init(_ error: LoadError?, at provider: String) {
        let session = error?.sessionError
        if let session, session.code == .signInNeeded, session.serverError == nil {
            self.init(
                "Your sign-in at \(provider) is no longer valid.", advice: "Sign in again to continue.",
                remedy: .signIn)
        } else if let session {
            self.init(session, at: provider, isSignedIn: session.code != .signInNeeded)
        } else if error?.code == .notSecure {
            self.init(
                "The connection to \(provider) is not secure, and was not used.",
                advice: "Check this computer's date and network, then try again.", remedy: .tryAgain)
        } else {
            self.init(
                "\(provider) cannot be reached.", advice: "You are still signed in. Check the network, then try again.", remedy: .tryAgain)
        }
    }

    private init(endedAt provider: String) {
        self.init(
            "\(provider) no longer accepts your sign-in.",
            advice: "The sign-in or some of its permissions were revoked there. Sign in again to continue.",
            remedy: .signIn)
    }

    private init(busy provider: String, retryAfter: Int?) {
        self.init(
            "\(provider) received too many requests.",
            advice: "Try again \(retryAfter.map(Self.pause) ?? "in a few minutes").", remedy: .tryAgain)
    }

    private init(unusable explanation: String, at provider: String) {
        self.init(
            "\(provider) sent an unusable response.", advice: "\(sentence(explanation)) Try again later.", remedy: .tryAgain)
    }

    /// Rounded up, because retrying too early makes the wait longer.
    private static func pause(_ seconds: Int) -> String {
        switch seconds {
        case ...0: "now"
        case 1: "in 1 second"
        case ..<120: "in \(seconds) seconds"
        case ..<7200: "in \((seconds - 1) / 60 + 1) minutes"
        default: "in \((seconds - 1) / 3600 + 1) hours"
        }
    }
}
