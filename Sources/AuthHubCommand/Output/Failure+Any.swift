import AuthHub
import OAuthProtocol

extension Failure {
    /// What an error of several kinds means.
    ///
    /// - Parameter make: Tells what a session's error means here.
    init(cause error: any Error, _ make: (SessionError) -> Failure = { Failure($0) }) {
        switch error {
        case let failure as Failure: self = failure
        case let error as SessionError: self = make(error)
        case let error as OAuthError:
            self = make(
                SessionError(
                    error.code == .securityCheckFailed ? .securityCheckFailed : .misconfigured, error.explanation, underlying: error))
        default: self = make(SessionError(.misconfigured, "an unexpected error of type \(type(of: error))", underlying: error))
        }
    }
}
