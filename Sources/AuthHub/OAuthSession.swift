public import AuthHubPrimitives
public import CredentialStorage
public import HTTPLoading
public import OAuthProtocol
import Platform

/// A session for one account at one authorization server: signs the user in, stores and refreshes the tokens, and sends requests with them.
///
/// Any number of tasks, sessions and processes can share an account's record in a store. All of them use the result of one refresh.
public final class OAuthSession: Sendable {
    /// The effect that resetting your own chain has on the session whose token the chain uses.
    public enum ResetEffect: Sendable, Hashable {
        /// Resetting the chain cancels the chain's requests. The session stays signed in, because other chains may use the same account.
        /// Signing out does not cancel the chain's requests.
        case keepSignedIn
        /// Resetting the chain signs out: the stored credential is deleted, the chain's requests are cancelled, and the tokens are revoked
        /// at the server, in this order. Signing out resets the chain.
        case signOut
    }

    let engine: SessionEngine
    private let chain: Chain

    /// Creates a session for one account. Does not read the store, send requests or open a page.
    ///
    /// - Parameters:
    ///   - configuration: The server, the client and the other settings. Any number of sessions can share a configuration.
    ///   - label: The label that distinguishes several accounts of the same client at the same server.
    public init(_ configuration: Configuration, label: String = "default") {
        let configuration = configuration.sharedConfiguration
        engine = SessionEngine(configuration, label: label)
        chain = Chain(sharing: configuration.links, for: engine)
    }

    /// The account under which the session stores its record: the server, the client and the label.
    public var account: CredentialAccount { engine.account }
}

extension OAuthSession {
    /// Sends a request and returns the response. Adds the access token if the request's origin is allowed to receive it.
    ///
    /// If no one is signed in and ``Configuration/prompting`` allows it, signs in first. If the access token is about to expire, refreshes
    /// it first.
    ///
    /// If the response has status 401, the session refreshes the token once and replays the request once. If the replay is rejected as
    /// well, ``Configuration/unauthorizedPolicy`` decides what happens. If another program has already refreshed the token, the session
    /// replays the request with that token, and refreshes and replays once more only if the server rejects that token, too. A response
    /// whose requirement a refreshed token cannot meet is returned unchanged; see ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// - Throws: ``HTTPLoading/LoadError``. `.notAuthorized` means that no token was available; `underlying` is then the ``SessionError``.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await chain.load(request)
    }

    /// An authorizer that adds the session's token to the requests of your own ``HTTPLoading/Chain``, by the same rules as ``load(_:)``.
    /// Pass the authorizer to an ``HTTPLoading/AuthorizeLoader``.
    ///
    /// Equivalent to ``authorizer(onReset:)`` with `.keepSignedIn`.
    public var authorizer: some Authorizer { authorizer(onReset: .keepSignedIn) }

    /// Returns an authorizer that adds the session's token to the requests of your own chain.
    ///
    /// A request that the server rejects after a sign-out is not sent again, because the session's token may by then belong to another
    /// user.
    ///
    /// - Parameter effect: The effect that resetting your chain has on the session.
    public func authorizer(onReset effect: ResetEffect) -> some Authorizer {
        SessionAuthorizer(engine: engine, ownChain: effect == .signOut ? chain : nil)
    }

    /// Returns an access token for use outside the session. Refreshes the token first if it expires within `minimumLifetime`.
    ///
    /// The caller is responsible for where the token is sent.
    ///
    /// - Parameter minimumLifetime: The minimum time for which the token must remain valid. If the server issues tokens with shorter
    ///   lifetimes, the newest token is returned.
    /// - Throws: ``SessionError``: `.signInNeeded` if no one is signed in and the configuration does not allow prompting; otherwise the
    ///   errors of ``refresh()`` and ``signIn(_:)``.
    public func accessToken(minimumLifetime: Duration = .zero) async throws(SessionError) -> AccessToken {
        let configuration = engine.configuration
        let lifetime = minimumLifetime / .seconds(1)
        if let held = engine.snapshot.settled, held.isFresh(at: configuration.now(), for: lifetime) { return AccessToken(held.credential) }
        let want = SessionMachine.Want.credential(minimumLifetime: lifetime, mayInteract: configuration.prompting == .onDemand)
        return AccessToken(try await engine.wait(for: want).get().credential)
    }

    /// Returns an access token other than one that a server rejected, for use outside the session.
    ///
    /// Refreshes only if the stored token is still the rejected one, so any number of programs can report the same token and cause one
    /// refresh. ``refresh()`` instead replaces a token that another program has just stored. Opens no page.
    ///
    /// - Parameter rejected: The access token that the server rejected.
    /// - Throws: ``SessionError``, as ``refresh()`` does. `.signInNeeded` if the rejected token cannot be refreshed. After a refresh that has
    ///   just failed, its error is thrown again until ``SessionState/SignedIn/nextAttempt``.
    public func accessToken(insteadOf rejected: Secret<String>) async throws(SessionError) -> AccessToken {
        let want = SessionMachine.Want.replacement(of: rejected, mayInteract: !engine.configuration.grant.needsPerson)
        return AccessToken(try await engine.wait(for: want).get().credential)
    }

    /// Shows the sign-in page, even if someone is already signed in, and returns when the new credential is stored.
    ///
    /// Joins a sign-in that is in progress in this session. If another session or process that shares the store is showing the page, waits
    /// for that sign-in, for at most ``Configuration/signInTimeout``. Cancelling the task ends only that task's wait. The page is closed
    /// when no caller is waiting for it.
    ///
    /// If the options have more than a ``SignInOptions/loginHint``, the call joins a sign-in of this session only if its page requests the
    /// same. Otherwise, it waits until that sign-in has ended, and then shows its own page.
    ///
    /// - Parameter options: What to request in addition to the session's configuration; nothing by default.
    /// - Throws: ``SessionError``; the stored credential is unchanged. `.cancelledByUser`, `.denied` or `.timedOut` if the user or the
    ///   server's policy ended the sign-in. If a response with a wrong or missing `state` arrived, `.securityCheckFailed` replaces
    ///   `.cancelledByUser` and `.timedOut`; if only this sign-in's own browser can deliver responses, it is thrown immediately.
    ///   `.cannotSignInHere` if no page can be shown, or the session's grant cannot send the options. `.misconfigured` if an option is
    ///   unusable, or a parameter is one that the session sets. `.signInNeeded` only with the grant
    ///   ``AuthorizationGrant/refreshToken``. Any other code is possible.
    public func signIn(_ options: SignInOptions = SignInOptions()) async throws(SessionError) {
        guard engine.configuration.grant.signsIn else {
            throw SessionError(.signInNeeded, "this session only refreshes tokens; sign in elsewhere, and adopt the tokens")
        }
        guard options != SignInOptions() else { return _ = try await engine.wait(for: .signIn).get() }
        // Checked before other callers can share the page, so that only this call fails.
        do throws(OAuthError) {
            try options.check()
        } catch {
            throw SessionError(error)
        }
        _ = try await engine.wait(for: .signInWith(SignInNeed(options))).get()
    }

    /// Shows the page of the current sign-in again, for a user who closed it. Does nothing if no sign-in page is shown.
    ///
    /// AuthHub cannot detect whether the page is still open in the user's own browser. While ``SessionState/isSigningIn`` is true, offer
    /// the user this action and a way to cancel. A browser that can detect a closed window ends the sign-in itself; there is then no page
    /// to show again.
    ///
    /// - Throws: ``SessionError`` with `.cannotSignInHere` if the page cannot be opened. The sign-in continues to wait for its callback.
    public func showSignInPageAgain() async throws(SessionError) {
        try await engine.showPageAgain().get()
    }

    /// Shows the sign-in page to obtain a token that meets the requirement of a response; see
    /// ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// Requests the required scope, in addition to the session's own scope and the scope that is already granted, and the required strength
    /// or age of the authentication (RFC 9470 §4). The server may grant less: send the request again to find out whether the new token is
    /// sufficient. Call this only with the user's consent, and only once for the same requirement, because a server that repeats it will
    /// not accept another sign-in either. Concurrent calls share one page. A later ``signIn(_:)`` requests only the session's own scope.
    ///
    /// - Throws: ``SessionError``, as ``signIn(_:)`` does. The stored credential is unchanged.
    public func stepUp(_ need: StepUpRequirement) async throws(SessionError) {
        _ = try await engine.wait(for: .stepUp(need)).get()
    }

    /// Refreshes the access token, even if it is still valid or a refresh has just failed. Joins a refresh that is in progress.
    ///
    /// - Throws: ``SessionError``. `.signInNeeded` if no one is signed in, the server has revoked the grant, or there is no refresh token.
    ///   `.unreachable`, `.serverRejected`, `.serverMisbehaved` and `.storeFailed` leave the stored tokens unchanged.
    public func refresh() async throws(SessionError) {
        _ = try await engine.wait(for: engine.configuration.grant.needsPerson ? .renewal : .signIn).get()
    }

    /// Signs out: deletes the stored credential, cancels the session's requests and revokes the tokens at the server.
    ///
    /// If the program crashes before the credential is deleted, nothing has changed; if it crashes afterwards, the user is signed out. The
    /// deleted tokens stay in a separate record of the store until they are revoked. If the program crashes or the server cannot be
    /// reached, the account's next session or sign-out revokes them, with at most three attempts in all.
    /// 1. New requests fail with `.resetInProgress`, or wait until the sign-out has finished, depending on their
    ///    ``HTTPLoading/WhileResetting``.
    /// 2. The stored credential is deleted. Callers that are waiting for a token or a sign-in get an error. Up to this point, no request
    ///    has been sent.
    /// 3. Requests in progress and bodies that are being read are cancelled, and have five seconds to finish.
    /// 4. The tokens are revoked at the server, within ten seconds.
    /// 5. If `endingServerSession` is true, the session's browser shows the server's logout page (OpenID Connect RP-Initiated Logout 1.0),
    ///    for at most ``Configuration/signInTimeout``. Otherwise, the browser stays signed in at the server, and the next sign-in may not
    ///    ask for a password.
    /// 6. ``state`` becomes `.signedOut`, and requests are accepted again.
    ///
    /// Your own chains are reset at the same time if their authorizer was created by ``authorizer(onReset:)`` with `.signOut`.
    ///
    /// Joins a sign-out that is in progress. If the calling task is cancelled, the sign-out continues, but the page is closed. If the task
    /// is cancelled while the sign-out is waiting for another process or a locked keyring, the sign-out ends without changing anything, and
    /// the report says so. Tokens that a refresh or a sign-in obtains after the deletion are revoked instead of stored.
    ///
    /// - Parameter endingServerSession: Whether to end the browser's session at the server as well. The client's redirect URI must be
    ///   registered there as a `post_logout_redirect_uri`; otherwise, the server shows a page that does not redirect back. The
    ///   request identifies the user by the ID token, if there is one (`id_token_hint`); otherwise, the server may ask the user to confirm.
    /// - Returns: What was deleted and revoked, and what failed.
    @discardableResult
    public func signOut(endingServerSession: Bool = false) async -> SignOutReport {
        await engine.signOut(resetting: chain, endingServerSession: endingServerSession)
    }

    /// Waits until all work in progress has finished, even if the calling task is cancelled.
    ///
    /// Call this method before the program exits. Otherwise, tokens are lost if a refresh or a code exchange has sent its request but not
    /// stored the response. A refresh that is still waiting for another process is cancelled.
    public func finish() async {
        await engine.finish()
    }

    /// Reads the store if it has not been read yet, so that ``state`` says whether someone is signed in. Opens no page and sends no
    /// request.
    ///
    /// - Returns: The state.
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read, or `.cancelledByProgram` if the task is cancelled.
    @discardableResult
    public func restore() async throws(SessionError) -> SessionState {
        if case .failure(let error) = await engine.wait(for: .knowledge), error.code != .signInNeeded { throw error }
        return state
    }

    /// The current state, for display.
    public var state: SessionState { engine.snapshot.state }

    /// A sequence that starts with the current state and yields every change. A slow reader may miss intermediate states, but never the
    /// newest.
    ///
    /// The sequence ends when the session and all chains that use its authorizer have been deallocated.
    public var states: AsyncStream<SessionState> { engine.snapshot.states() }

    /// The same sequence for a reader that must not miss a state. States that it has not read yet are buffered without limit.
    package var everyState: AsyncStream<SessionState> { engine.snapshot.states(.unbounded) }

    /// Returns the provider's profile, completed with the server's metadata. Fetches the metadata if needed.
    ///
    /// - Parameter endpoints: The endpoints that the caller will use. If the server's first metadata document lacks one of them, the
    ///   server's other metadata documents are fetched as well.
    /// - Throws: ``SessionError`` if metadata is needed but not available.
    public func provider(needing endpoints: Set<Endpoints.Name> = []) async throws(SessionError) -> ProviderProfile {
        try await engine.configuration.server.resolved(needing: endpoints)
    }
}
