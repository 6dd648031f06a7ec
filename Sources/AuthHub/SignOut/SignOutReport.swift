/// The result of a sign-out. Unless ``problem`` is set, the user is signed out on this machine.
public struct SignOutReport: Sendable {
    /// Whether the tokens were revoked at the server.
    public enum Revocation: Sendable {
        /// No one was signed in.
        case notNeeded
        /// The server cannot revoke tokens; they stay valid until they expire.
        case notOffered
        /// The server has confirmed the revocation (RFC 7009 §2.2).
        case done
        /// The account is signed out here, but the tokens may stay valid at the server until they expire. With `.unreachable` (no response,
        /// 429 or 5xx), the tokens stay in a separate record that no session uses. Another sign-out, or the account's next session, revokes
        /// them. After three failed attempts in all, the record is deleted.
        case failed(SessionError)
    }

    /// Whether the browser's session at the server ended.
    public enum ServerSession: Sendable {
        /// The caller did not request to end the browser's session, or the sign-out failed earlier.
        case notAsked
        /// The server has no logout page (`end_session_endpoint`), or the session has no browser to show it in.
        case notOffered
        /// The server's page redirected the browser back. The redirect does not say which sessions the server ended.
        case ended
        /// The page was closed before it redirected back.
        case cancelled
        /// Ending the session failed. The user may still be signed in at the server in the browser.
        case failed(SessionError)
    }

    /// Whether the tokens were revoked at the server.
    public let revocation: Revocation
    /// The reason that the stored credential could not be deleted; nil if it was deleted. If there is a problem, the credential stays in
    /// the store and is not revoked.
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
