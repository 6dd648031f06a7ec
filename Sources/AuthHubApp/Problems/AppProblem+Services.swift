import AniListAPI
import AuthHub
import GitHubAPI
import HTTPLoading

extension AppProblem {
    /// Why GitHub did not give what was asked for.
    init(_ error: GitHubError, at provider: String) {
        switch error.code {
        case .notLoaded: self.init(error.underlying, error.explanation, at: provider)
        case .notSignedIn: self.init(endedAt: provider)
        case .rateLimited: self.init(busy: provider, retryAfter: error.retryAfter)
        case .forbidden, .notFound:
            self.init("\(provider) does not let the app see this.", advice: error.explanation, remedy: .tryAgain)
        default: self.init("\(provider) gave no answer that can be used.", advice: error.explanation, remedy: .tryAgain)
        }
    }

    /// Why AniList did not give what was asked for.
    init(_ error: AniListError, at provider: String) {
        switch error.code {
        case .notLoaded: self.init(error.underlying, error.explanation, at: provider)
        case .notSignedIn: self.init(endedAt: provider)
        case .rateLimited: self.init(busy: provider, retryAfter: error.retryAfter)
        default: self.init("\(provider) gave no answer that can be used.", advice: error.explanation, remedy: .tryAgain)
        }
    }

    private init(_ error: LoadError?, _ explanation: String, at provider: String) {
        if let session = error?.underlying as? SessionError {
            self.init(session, at: provider, isSignedIn: session.code != .signInNeeded)
        } else {
            self.init(
                "\(provider) cannot be reached.", advice: "You are still signed in. Check the network, then try again.", remedy: .tryAgain)
        }
    }

    private init(endedAt provider: String) {
        self.init(
            "\(provider) does not take your sign-in any more.", advice: "It was ended there, or its rights were. Sign in again to go on.",
            remedy: .signIn)
    }

    private init(busy provider: String, retryAfter: Int?) {
        self.init(
            "\(provider) asks to wait: there were too many requests.",
            advice: retryAfter.map { "Try again in \($0) seconds." } ?? "Try again in a few minutes.", remedy: .tryAgain)
    }
}
