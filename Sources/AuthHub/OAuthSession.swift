public import CredentialStorage
public import HTTPLoading
public import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One account, signed in to one authorization server: signs the user in, stores and refreshes the tokens, and sends requests with them.
///
/// Any number of tasks, sessions and processes may share an account's record in a store: one refresh serves them all.
public final class OAuthSession: Sendable {
    /// What a reset of your own chain does to the session whose token it uses.
    public enum ResetEffect: Sendable, Hashable {
        /// The reset cancels the chain's requests, and the session stays signed in, because other chains may use the same account. A
        /// sign-out does not cancel the chain's requests.
        case keepSignedIn
        /// A reset of the chain signs out: the stored credential is deleted, then the chain's requests are cancelled, then the tokens are
        /// revoked at the server. A sign-out resets the chain.
        case signOut
    }

    let engine: SessionEngine
    private let chain: Chain

    /// Creates a session for one account. Reads nothing, sends nothing and opens nothing.
    ///
    /// - Parameters:
    ///   - configuration: The server, the client and the rest. Any number of sessions may share it.
    ///   - label: Distinguishes several accounts of the same client at the same server.
    public init(_ configuration: Configuration, label: String = "default") {
        let configuration = configuration.sharedConfiguration
        engine = SessionEngine(configuration, label: label)
        chain = Chain(sharing: configuration.links, for: engine)
    }

    /// The name of the session's record in the store: server, client and label.
    public var account: CredentialAccount { engine.account }
}

extension OAuthSession {
    /// Sends a request with the access token, if the request's origin may get it, and returns the response.
    ///
    /// If no one is signed in, signs in first, provided that ``Configuration/prompting`` allows it. Refreshes an access token that is about
    /// to expire.
    ///
    /// A 401 is answered with one refresh and one replay at most; if that does not help, ``Configuration/unauthorizedPolicy`` decides. If
    /// another program had refreshed the token, the replay uses that token; if the server rejects it as well, one refresh and a second
    /// replay follow. A response that requires more than a refreshed token can have is returned as it is:
    /// ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// - Throws: ``HTTPLoading/LoadError``. `.notAuthorized` means that no token was available; `underlying` is the ``SessionError`` that
    ///   says why.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await chain.load(request)
    }

    /// Adds the session's token to the requests of your own ``HTTPLoading/Chain``, in an ``HTTPLoading/AuthorizeLoader``, by the same rules
    /// as ``load(_:)``.
    ///
    /// Equivalent to ``authorizer(onReset:)`` with `.keepSignedIn`.
    public var authorizer: some Authorizer { authorizer(onReset: .keepSignedIn) }

    /// Returns an authorizer that adds the session's token to the requests of your own chain.
    ///
    /// A request that is rejected after a sign-out is not sent again: the token may by then be another user's.
    ///
    /// - Parameter effect: What a reset of that chain does to the session.
    public func authorizer(onReset effect: ResetEffect) -> some Authorizer {
        SessionAuthorizer(engine: engine, ownChain: effect == .signOut ? chain : nil)
    }

    /// Returns the access token for use outside the session, and refreshes it first if it expires within `minimumLifetime`.
    ///
    /// The caller is responsible for where the token is sent.
    ///
    /// - Parameter minimumLifetime: How long the token has to be valid. If the server issues tokens with shorter lifetimes, the newest one
    ///   is returned.
    /// - Throws: ``SessionError``: `.signInNeeded` if no one is signed in and the configuration does not allow prompting, otherwise the
    ///   errors of ``refresh()`` and ``signIn()``.
    public func accessToken(minimumLifetime: Duration = .zero) async throws(SessionError) -> AccessToken {
        let configuration = engine.configuration
        let lifetime = minimumLifetime / .seconds(1)
        if let held = engine.snapshot.settled, held.isFresh(at: configuration.now(), for: lifetime) { return AccessToken(held.credential) }
        let want = SessionMachine.Want.credential(minimumLifetime: lifetime, mayInteract: configuration.prompting == .onDemand)
        return AccessToken(try await engine.wait(for: want).get().credential)
    }

    /// Shows the sign-in page, even if someone is signed in already, and returns when the new credential is stored.
    ///
    /// Joins a sign-in that is in progress in this session. If another session or process that shares the store is showing the page, waits
    /// for that sign-in for as long as one may take. Cancelling the task ends its wait; the page closes when no caller waits for it any
    /// longer.
    ///
    /// - Throws: ``SessionError``, and the stored credential stays. `.cancelledByUser`, `.denied` or `.timedOut` if the user or the
    ///   server's policy ended the sign-in. `.securityCheckFailed` instead of a cancellation or timeout if a response with a wrong or
    ///   missing `state` had arrived, and at once if only this sign-in's own browser can deliver one. `.cannotSignInHere` if no page can be
    ///   shown. Any other code except `.signInNeeded`.
    public func signIn() async throws(SessionError) {
        _ = try await engine.wait(for: .signIn).get()
    }

    /// Shows the sign-in page again, for a user who closed it. Does nothing if no page is shown now.
    ///
    /// AuthHub cannot see a closed page in the user's own browser: while ``SessionState/isSigningIn``, offer this and a way to cancel. A
    /// browser that notices closed windows ends the sign-in then, and has nothing to show again.
    ///
    /// - Throws: ``SessionError`` with `.cannotSignInHere` if the page cannot be opened. The sign-in continues to wait.
    public func showSignInPageAgain() async throws(SessionError) {
        try await engine.showPageAgain().get()
    }

    /// Shows the sign-in page to obtain what a request lacked: ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// Requests the required scope in addition to the session's own and what is granted already, and the required strength or age of the
    /// authentication (RFC 9470 §4). A server may grant less; send the request again to find out whether it was enough. Call this only with
    /// the user's consent, and only once for the same requirement: a server that repeats it is not satisfied by this sign-in. Concurrent
    /// calls share one page. A later ``signIn()`` requests the session's own scope again.
    ///
    /// - Throws: ``SessionError``, as ``signIn()`` does. The stored credential stays.
    public func stepUp(_ need: StepUpRequirement) async throws(SessionError) {
        _ = try await engine.wait(for: .stepUp(need)).get()
    }

    /// Refreshes the access token, even if it is still valid and however recently a refresh failed. Joins a refresh that is in progress.
    ///
    /// - Throws: ``SessionError``. `.signInNeeded` if no one is signed in, the server has revoked the grant, or there is no refresh token.
    ///   `.unreachable`, `.serverRejected`, `.serverMisbehaved` and `.storeFailed` leave the stored tokens unchanged.
    public func refresh() async throws(SessionError) {
        _ = try await engine.wait(for: engine.configuration.grant.needsPerson ? .renewal : .signIn).get()
    }

    /// Signs out: deletes the stored credential, cancels the session's requests and revokes the tokens at the server.
    ///
    /// The order is such that a crash after the deletion leaves the user signed out, and a crash before it changes nothing. The deleted
    /// tokens stay in a separate record of the store until they are revoked: after a crash, or if the server cannot be reached, the
    /// account's next session or sign-out revokes them (three attempts in all).
    /// 1. New requests fail with `.resetInProgress`, or wait until the end, depending on their ``HTTPLoading/WhileResetting``.
    /// 2. The stored credential is deleted. Callers that wait for a token or a sign-in get an error. Nothing has been sent.
    /// 3. Requests in progress are cancelled, and bodies that are being read end. They have five seconds to finish.
    /// 4. The tokens are revoked at the server, within ten seconds.
    /// 5. With `endingServerSession`, the session's browser shows the server's page for signing out (OpenID Connect RP-Initiated Logout
    ///    1.0), for as long as a sign-in may take. Without it, the browser stays signed in at the server, and the next sign-in may need no
    ///    password.
    /// 6. ``state`` becomes `.signedOut`, and requests are accepted again.
    ///
    /// Your own chains with an ``authorizer(onReset:)`` that signs out are reset at the same time.
    ///
    /// Joins a sign-out that is in progress. If the calling task is cancelled, the sign-out continues, but the page is closed. If
    /// the sign-out is waiting for another process or a locked keyring at that time, it ends: nothing was changed, and the report says so.
    /// Tokens that a refresh or a sign-in obtains afterwards are revoked, not stored.
    ///
    /// - Parameter endingServerSession: Whether to end the browser's session at the server, too. The client's redirect URI has to be
    ///   registered there as a `post_logout_redirect_uri`; otherwise the server shows a page that does not return. No `id_token_hint` is
    ///   sent, because the session stores no ID token: servers may ask the user to confirm.
    /// - Returns: What was deleted and revoked.
    @discardableResult
    public func signOut(endingServerSession: Bool = false) async -> SignOutReport {
        await engine.signOut(resetting: chain, endingServerSession: endingServerSession)
    }

    /// Waits until everything in progress has finished, even if the calling task is cancelled.
    ///
    /// Call it before the program exits: a refresh or an exchange whose request was sent obtains tokens that would be lost. A refresh that
    /// still waits for another process is cancelled.
    public func finish() async {
        await engine.finish()
    }

    /// Reads the store if that has not happened yet, so that ``state`` says whether someone is signed in. Opens no page and sends nothing.
    ///
    /// - Returns: The state.
    /// - Throws: ``SessionError`` with `.storeFailed` or `.cancelledByProgram`.
    @discardableResult
    public func restore() async throws(SessionError) -> SessionState {
        if case .failure(let error) = await engine.wait(for: .knowledge), error.code != .signInNeeded { throw error }
        return state
    }

    /// The current state, for display.
    public var state: SessionState { engine.snapshot.state }

    /// A sequence that starts with the current state and yields every change. A slow reader misses states in between, but never the newest.
    ///
    /// The sequence ends with the session, and with the last chain that has its authorizer.
    public var states: AsyncStream<SessionState> { engine.snapshot.states() }

    /// The same sequence for a reader that must not miss a state. States that it has not read yet are buffered without limit.
    package var everyState: AsyncStream<SessionState> { engine.snapshot.states(.unbounded) }

    /// Returns the provider with what its metadata says, which is read if needed.
    ///
    /// - Parameter endpoints: Endpoints that the caller will use: if the server's first metadata document lacks one of them, its other
    ///   documents are read, too.
    /// - Throws: ``SessionError`` if metadata is needed but not available.
    public func provider(needing endpoints: Set<Endpoints.Name> = []) async throws(SessionError) -> ProviderProfile {
        try await engine.configuration.server.resolved(needing: endpoints)
    }
}
