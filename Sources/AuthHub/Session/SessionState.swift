public import OAuthProtocol
public import Platform

/// The state of a session, for display. Contains no secret.
public enum SessionState: Sendable, Hashable {
    /// The store has not been read yet, or cannot be read.
    case unknown
    /// The store is being read for the first time.
    case loading
    /// No one is signed in. The problem, if there is one, says why the last sign-in failed or was ended.
    case signedOut(Problem?)
    /// The sign-in page is shown. The notice, if there is one, describes what the user should know at this point.
    case signingIn(Notice?)
    /// The user has finished with the page, and the code is being exchanged for tokens. The sign-in can no longer be cancelled.
    case exchanging
    /// A user is signed in, even if a refresh is in progress or has failed.
    case signedIn(SignedIn)
    /// The stored credential is being deleted, and the tokens are being revoked.
    case signingOut

    /// No one is signed in, and nothing went wrong. To test whether no one is signed in for any reason, use ``isSignedOut``.
    public static var signedOut: Self { .signedOut(nil) }

    /// The sign-in page is shown, without a notice. To test whether the page is shown, use ``isSigningIn``.
    public static var signingIn: Self { .signingIn(nil) }

    /// Whether the sign-in page is shown, with or without a notice.
    public var isSigningIn: Bool {
        if case .signingIn = self { true } else { false }
    }

    /// Whether no one is signed in, for any reason.
    public var isSignedOut: Bool {
        if case .signedOut = self { true } else { false }
    }

    /// The identifier of the sign-in that issued the tokens; nil if no one is signed in, or if it is not known.
    package var signInID: String? {
        if case .signedIn(let facts) = self { facts.signInID } else { nil }
    }

    /// The expiry and scope of the tokens of a signed-in account, and the state of their refresh.
    public struct SignedIn: Sendable, Hashable {
        /// The time the access token expires; nil if the server did not say.
        public let expiresAt: Date?
        /// Whether the access token can be refreshed without the user.
        public let isRenewable: Bool
        /// The granted scope, which may be less than the requested scope.
        public let scope: Scope
        /// The number of credentials that this session has used; 0 if there is no session.
        package let generation: UInt64
        /// The identifier of the sign-in that issued the tokens. A refresh keeps it, even one by another process; a new sign-in has
        /// another, even one of the same user. nil for tokens that an earlier version stored.
        package let signInID: String?
        /// Whether a refresh is in progress.
        public let isRefreshing: Bool
        /// The reason that the last refresh failed; nil if it succeeded.
        public let problem: Problem?
        /// The earliest time of the next automatic refresh; nil if it can happen immediately. Calling ``OAuthSession/refresh()`` does not
        /// wait for this time.
        public let nextAttempt: Date?
    }

    /// Something that happened while the sign-in page was shown, and did not end the sign-in.
    public struct Notice: Sendable, Hashable {
        /// What arrived and was rejected, such as a response with a wrong `state`. If the same kind of event happens again, the notice does
        /// not change; the error that ends the sign-in says how often it happened.
        public let explanation: String
        /// Whether a sign-in that is cancelled now ends with `.securityCheckFailed`.
        let hasForeignResponse: Bool
    }

    /// The part of a ``SessionError`` that is meant for display. Unlike the error itself, a problem can be compared.
    public struct Problem: Sendable, Hashable {
        /// The kind of error.
        public let code: SessionError.Code
        /// What is wrong and what to do about it, suitable for display.
        public let explanation: String
        /// The party that has to act on the problem.
        public let whoHasToAct: SessionError.Party
        /// The server's own error code; nil if the problem is not an error response.
        package let serverErrorCode: ServerErrorCode?
    }
}

extension SessionState.SignedIn {
    init(_ held: HeldCredential, isRefreshing: Bool, problem: SessionState.Problem?, nextAttempt: Date?) {
        let credential = held.credential
        self.init(
            expiresAt: credential.expiresAt, isRenewable: credential.refreshToken != nil, scope: credential.scope,
            generation: held.generation, signInID: credential.signInID, isRefreshing: isRefreshing, problem: problem,
            nextAttempt: nextAttempt)
    }
}

extension SessionState.Problem {
    /// Creates a problem from an error.
    public init(_ error: SessionError) {
        self.init(
            code: error.code, explanation: error.explanation, whoHasToAct: error.whoHasToAct,
            serverErrorCode: error.serverError?.code)
    }
}
