import CredentialStorage
import HTTPLoading
import OAuthProtocol
import WebAuthentication

extension SessionError {
    /// Creates the session's error for an underlying error.
    init(cause error: any Error) {
        switch error {
        case let error as SessionError: self = error
        case let error as OAuthError: self.init(error)
        case let error as LoadError: self.init(error)
        case let error as WebAuthenticationError: self.init(error)
        case let error as CredentialStoreError: self.init(error)
        case is CancellationError: self.init(.cancelledByProgram, "the task was cancelled", underlying: error)
        default: self.init(.misconfigured, "an unexpected error of type \(type(of: error))", underlying: error)
        }
    }

    init(_ error: OAuthError) {
        let code: Code =
            switch (error.code, error.serverError?.code) {
            case (_, .accessDenied?): .denied
            case (_, .expiredToken?): .timedOut
            case (.serverRejected, .temporarilyUnavailable?), (.serverRejected, .serverError?), (.serverRejected, .slowDown?): .unreachable
            case (.serverRejected, _): .serverRejected
            case (.invalidResponse, _): .serverMisbehaved
            case (.securityCheckFailed, _), (.unconfirmedEndpoints, _): .securityCheckFailed
            case (.expired, _): .timedOut
            default: .misconfigured
            }
        self.init(code, error.explanation, serverError: error.serverError, underlying: error)
    }

    init(_ error: LoadError) {
        if let inner = error.underlying as? SessionError {
            self = inner
            return
        }
        let code: Code =
            switch error.code {
            case .cancelled: .cancelledByProgram
            case .invalidRequest: .misconfigured
            case .tooLarge, .redirectRefused, .invalidResponse: .serverMisbehaved
            default: .unreachable
            }
        self.init(code, error.description, underlying: error)
    }

    init(_ error: WebAuthenticationError) {
        if let cause = error.underlying as? LoadError {
            self.init(cause)
            return
        }
        let code: Code =
            switch error.code {
            case .cancelledByUser: .cancelledByUser
            case .cancelledByProgram: .cancelledByProgram
            case .timedOut: .timedOut
            case .unexpectedCallback: .securityCheckFailed
            default: .cannotSignInHere
            }
        let explanation = [error.message, error.ignored].compactMap(\.self).joined(separator: "; ")
        self.init(code, explanation, underlying: error)
    }

    init(_ error: CredentialStoreError) {
        self.init(error.code == .cancelled ? .cancelledByProgram : .storeFailed, error.explanation, underlying: error)
    }
}

extension SessionError {
    /// The error of a sign-in whose page the user has seen. If the server still requires something from the user, the user has declined.
    var afterPage: Self {
        guard code == .serverRejected, let serverError, ServerErrorCode.userActionRequired.contains(serverError.code) else { return self }
        return Self(.denied, explanation, serverError: serverError, underlying: underlying)
    }

    /// The timeout or cancellation that ended the sign-in, if a different error is reported because of foreign callbacks; otherwise the
    /// error itself.
    var withoutStrangers: Self {
        guard let error = underlying as? WebAuthenticationError, error.code == .unexpectedCallback,
            let end = error.underlying as? WebAuthenticationError
        else { return self }
        return Self(end)
    }

    /// Whether the program ended the sign-in, whatever callbacks had arrived by then.
    var isCancelledByProgram: Bool { withoutStrangers.code == .cancelledByProgram }

    /// Whether no response arrived, so that the next attempt may succeed.
    var isWithoutResponse: Bool { underlying is LoadError }

    /// For callers that wait for a token or a sign-in when the session is signed out, and for results that arrive after that.
    static var signedOutMeanwhile: Self {
        Self(.cancelledByProgram, "the session was signed out in the meantime")
    }

    /// For a sign-in whose account another session or process signed out before the tokens were stored.
    ///
    /// - Parameter problem: The reason that the tokens could not be revoked.
    static func signedOutElsewhere(_ problem: SessionError?) -> Self {
        let problem = problem.map { "; revoking them failed: \($0.explanation)" } ?? ""
        return Self(
            .cancelledByProgram,
            "the account was signed out elsewhere in the meantime, so the tokens of this sign-in were not kept\(problem)")
    }
}
