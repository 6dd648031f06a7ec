public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What people may be shown of a session. Holds no secret.
public enum SessionState: Sendable, Hashable {
    /// The store was not read yet, or could not be read.
    case unknown
    /// The store is being read for the first time.
    case loading
    /// Nobody is signed in; with why the last sign-in failed or ended, where it did.
    case signedOut(Problem?)
    /// The sign-in page is shown; with what the user should know meanwhile, if there is something.
    case signingIn(Notice?)
    /// The person is done: the code is on its way to the server. Cancelling does not end it any more.
    case exchanging
    /// Someone is signed in, also while a refresh fails or is under way.
    case signedIn(SignedIn)
    /// What is stored is being deleted, and the server told.
    case signingOut

    /// Nobody is signed in, and nothing went wrong. To ask whether nobody is, take ``isSignedOut``.
    public static var signedOut: Self { .signedOut(nil) }

    /// The sign-in page is shown, and there is nothing to report. To ask whether the page is shown, use ``isSigningIn``.
    public static var signingIn: Self { .signingIn(nil) }

    /// Whether the sign-in page is shown, whatever there is to report.
    public var isSigningIn: Bool {
        if case .signingIn = self { true } else { false }
    }

    /// Whether nobody is signed in, whatever led there.
    public var isSignedOut: Bool {
        if case .signedOut = self { true } else { false }
    }

    /// Facts about a signed-in account.
    public struct SignedIn: Sendable, Hashable {
        /// When the access token ends; nil where the server did not say.
        public let expiresAt: Date?
        /// Whether it will be renewed without the person.
        public let isRenewable: Bool
        /// What was granted, which may be less than was asked for.
        public let scope: Scope
        /// Counts the credentials that this session has used; 0 where there is no session.
        public let generation: UInt64
        /// The identifier of the sign-in that issued the tokens. A refresh keeps it, even one by another process; a new sign-in has
        /// another, even one of the same user. nil for tokens that an earlier version stored.
        public let signInID: String?
        /// Whether a refresh is under way.
        public let isRefreshing: Bool
        /// Why the last refresh failed; nil since one has succeeded.
        public let problem: Problem?
        /// Before this instant no refresh is tried, unless the program asks for one by ``OAuthSession/refresh()``.
        public let nextTry: Date?
    }

    /// What happened while the sign-in page was shown. It did not end the sign-in.
    public struct Notice: Sendable, Hashable {
        /// What arrived and was not accepted, such as a response with a wrong `state`: told once for each kind, so that it counts the first
        /// of them only. The error that ends the sign-in counts all.
        public let explanation: String
        /// Whether a sign-in that is cancelled now ends with `.securityCheckFailed`.
        let hasForeignResponse: Bool
    }

    /// An error without what belongs to logs: comparable, and fit to be shown.
    public struct Problem: Sendable, Hashable {
        /// What went wrong.
        public let code: SessionError.Code
        /// What was wrong and what to do about it.
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
    /// What people may be shown of an error.
    public init(_ error: SessionError) {
        self.init(code: error.code, explanation: error.explanation, whoHasToAct: error.whoHasToAct)
    }
}
