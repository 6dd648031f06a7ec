/// What a sign-out did. The user is signed out locally unless ``problem`` says otherwise.
public struct SignOutReport: Sendable {
    /// Whether the tokens were revoked at the server.
    public enum Revocation: Sendable {
        /// No one was signed in.
        case notNeeded
        /// The server cannot revoke tokens; they are valid until they expire.
        case notOffered
        /// The server has confirmed the revocation (RFC 7009 §2.2).
        case done
        /// The account is signed out here, but the tokens may be valid at the server until they expire. With `.unreachable` (no response,
        /// 429 or 5xx), they stay in a separate record, which no session uses: another sign-out, or the account's next session, revokes
        /// them. After three attempts in all, they are deleted.
        case failed(SessionError)
    }

    /// Whether the browser's session at the server ended.
    public enum ServerSession: Sendable {
        /// No caller requested it, or the sign-out failed before.
        case notAsked
        /// The server has no page for it (`end_session_endpoint`), or the session has no browser to show it in.
        case notOffered
        /// The server's page has redirected the browser back. It does not say what exactly it ended.
        case ended
        /// The page was closed before that.
        case cancelled
        /// The user may still be signed in at the server with the browser.
        case failed(SessionError)
    }

    /// Whether the tokens were revoked at the server.
    public let revocation: Revocation
    /// Why the stored credential could not be deleted; nil if it was. If it could not, it remains in the store and is not revoked.
    public let problem: SessionError?
    /// Whether the browser's session at the server ended.
    public internal(set) var serverSession = ServerSession.notAsked
    /// The number of the session's requests that were in progress and were cancelled.
    package internal(set) var cancelledLoads = 0
    /// The number of them that had not finished five seconds later; their responses are discarded.
    package internal(set) var abandonedLoads = 0

    init(revocation: Revocation, problem: SessionError?) {
        self.revocation = revocation
        self.problem = problem
    }

    /// Whether the stored credential was deleted.
    public var isSignedOut: Bool { problem == nil }
}
