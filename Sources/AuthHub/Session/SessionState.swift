public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of a session, for display. Holds no secret.
public enum SessionState: Sendable, Hashable {
    /// The store has not been read yet, or cannot be read.
    case unknown
    /// The store is being read for the first time.
    case loading
    /// No one is signed in; with the reason why the last sign-in failed or was ended, if there is one.
    case signedOut(Problem?)
    /// The sign-in page is shown; with what the user should know at this point, if there is something.
    case signingIn(Notice?)
    /// The user has finished, and the code is being exchanged for tokens. Cancelling has no effect any longer.
    case exchanging
    /// Someone is signed in, even while a refresh is in progress or has failed.
    case signedIn(SignedIn)
    /// The stored credential is being deleted, and the tokens are being revoked.
    case signingOut

    /// No one is signed in, and nothing went wrong. To test whether no one is signed in, use ``isSignedOut``.
    public static var signedOut: Self { .signedOut(nil) }

    /// The sign-in page is shown, and there is nothing to report. To test whether the page is shown, use ``isSigningIn``.
    public static var signingIn: Self { .signingIn(nil) }

    /// Whether the sign-in page is shown, whatever there is to report.
    public var isSigningIn: Bool {
        if case .signingIn = self { true } else { false }
    }

    /// Whether no one is signed in, for any reason.
    public var isSignedOut: Bool {
        if case .signedOut = self { true } else { false }
    }

    /// Facts about a signed-in account.
    public struct SignedIn: Sendable, Hashable {
        /// The time the access token expires; nil if the server did not say.
        public let expiresAt: Date?
        /// Whether it can be refreshed without the user.
        public let isRenewable: Bool
        /// The granted scope, which may be less than was requested.
        public let scope: Scope
        /// The number of credentials that this session has used; 0 if there is no session.
        package let generation: UInt64
        /// The identifier of the sign-in that issued the tokens. A refresh keeps it, even one by another process; a new sign-in has
        /// another, even one of the same user. nil for tokens that an earlier version stored.
        package let signInID: String?
        /// Whether a refresh is in progress.
        public let isRefreshing: Bool
        /// Why the last refresh failed; nil if it succeeded.
        public let problem: Problem?
        /// The earliest time of the next refresh, unless the program calls ``OAuthSession/refresh()``; nil for at once.
        public let nextTry: Date?
    }

    /// What happened while the sign-in page was shown. It did not end the sign-in.
    public struct Notice: Sendable, Hashable {
        /// What arrived and was not accepted, such as a response with a wrong `state`. It is reported once for each kind, so it counts only
        /// the first; the error that ends the sign-in counts all.
        public let explanation: String
        /// Whether a sign-in that is cancelled now ends with `.securityCheckFailed`.
        let hasForeignResponse: Bool
    }

    /// An error without the details for logs: comparable, and fit for display.
    public struct Problem: Sendable, Hashable {
        /// What went wrong.
        public let code: SessionError.Code
        /// What is wrong and what to do about it.
        public let explanation: String
        /// Who can do something about it.
        public let whoHasToAct: SessionError.Party
    }
}

extension SessionState.SignedIn {
    init(_ held: HeldCredential, isRefreshing: Bool, problem: SessionState.Problem?, nextTry: Date?) {
        let credential = held.credential
        self.init(
            expiresAt: credential.expiresAt, isRenewable: credential.refreshToken != nil, scope: credential.scope,
            generation: held.generation, signInID: credential.signInID, isRefreshing: isRefreshing, problem: problem, nextTry: nextTry)
    }
}

extension SessionState.Problem {
    /// Creates the displayable part of an error.
    public init(_ error: SessionError) {
        self.init(code: error.code, explanation: error.explanation, whoHasToAct: error.whoHasToAct)
    }
}
