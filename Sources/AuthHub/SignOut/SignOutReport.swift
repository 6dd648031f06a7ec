/// What a sign-out did. The person is signed out here unless ``problem`` says otherwise.
public struct SignOutReport: Sendable {
    /// What became of the tokens at the server.
    public enum Revocation: Sendable {
        /// Nobody was signed in.
        case notNeeded
        /// The server has no way to revoke tokens; they end by themselves.
        case notOffered
        /// The server has confirmed it (RFC 7009 §2.2).
        case done
        /// The account is signed out here, but the tokens may be valid at the server until they expire. With `.unreachable` (no response,
        /// 429 or 5xx), they stay in a separate record, which no session uses: another sign-out, or the account's next session, revokes
        /// them. After three attempts in all, they are deleted.
        case failed(SessionError)
    }

    /// What became of the browser's own session at the server.
    public enum ServerSession: Sendable {
        /// Nobody asked for its end, or the sign-out failed before.
        case notAsked
        /// The server has no page for it (`end_session_endpoint`), or the session no browser to show it in.
        case notOffered
        /// The server's page has sent the browser back. What exactly it ended, it does not say.
        case ended
        /// The page was closed before.
        case cancelled
        /// The person may still be signed in there with the browser.
        case failed(SessionError)
    }

    /// What the server did, or was not asked to do.
    public let revocation: Revocation
    /// Why the stored credential could not be deleted: then it still stands in the store, and is not revoked.
    public let problem: SessionError?
    /// What became of the browser's own session at the server.
    public internal(set) var serverSession = ServerSession.notAsked
    /// How many loads of the session were under way, and were cancelled.
    public internal(set) var cancelledLoads = 0
    /// How many of them had not ended five seconds later; what they bring is dropped.
    public internal(set) var abandonedLoads = 0

    init(revocation: Revocation, problem: SessionError?) {
        self.revocation = revocation
        self.problem = problem
    }

    /// Whether nothing is stored any more.
    public var isSignedOut: Bool { problem == nil }
}
