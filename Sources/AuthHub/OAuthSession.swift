public import CredentialStorage
public import HTTPLoading
public import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One account, signed in to one authorization server: signs the person in, keeps the tokens safe and fresh, and loads with them.
///
/// Any number of tasks, sessions and processes may share an account's record in a store: one refresh serves them all.
public final class OAuthSession: Sendable {
    /// What a reset of a chain of your own does to the session whose token it uses.
    public enum ResetEffect: Sendable, Hashable {
        /// The reset cancels the chain's requests, and the session stays signed in: other chains may use the same account. A sign-out
        /// does not cancel the chain's requests.
        case keepSignedIn
        /// The chain and the session go together. A reset of the chain signs out: first the stored credential is deleted, then the
        /// chain's requests are cancelled, then the server is asked to revoke the tokens. A sign-out resets the chain.
        case signOut
    }

    let engine: SessionEngine
    private let chain: Chain

    /// Creates a session for one account.
    ///
    /// - Parameters:
    ///   - configuration: The client, the server and the rest; any number of sessions may share it.
    ///   - label: Distinguishes several accounts at the same server.
    public init(_ configuration: Configuration, label: String = "default") {
        let configuration = configuration.sharedConfiguration
        engine = SessionEngine(configuration, label: label)
        chain = Chain(sharing: configuration.links, for: engine)
    }

    /// What the tokens are stored under: server, client and label.
    public var account: CredentialAccount { engine.account }
}

extension OAuthSession {
    /// Loads a request with the access token, where the request's origin may see it.
    ///
    /// Signs in first where nobody is signed in and the policy allows it; renews an access token that ends; answers a 401 with one
    /// refresh and one replay, both at most once, and then as ``UnauthorizedPolicy`` says. Where another program had renewed the token, the
    /// replay has that one; if it is refused as well, the refresh and a second replay follow. Where the answer tells that more is needed
    /// than the token has, it stands: ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// - Throws: ``HTTPLoading/LoadError``; with `.notAuthorized` no token could be had, and its `underlying` error is the
    ///   ``SessionError``.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await chain.load(request)
    }

    /// Gives the session's token to a ``HTTPLoading/Chain`` of your own, by an ``HTTPLoading/AuthorizeLoader``, with the same rules as
    /// ``load(_:)``.
    ///
    /// Equivalent to ``authorizer(onReset:)`` with `.keepSignedIn`.
    public var authorizer: some Authorizer { authorizer(onReset: .keepSignedIn) }

    /// Returns an authorizer that gives the session's token to a chain of your own.
    ///
    /// A request that is rejected after a sign-out is not sent again: the token may by then be another user's.
    ///
    /// - Parameter effect: What a reset of that chain does to the session.
    public func authorizer(onReset effect: ResetEffect) -> some Authorizer {
        SessionAuthorizer(engine: engine, ownChain: effect == .signOut ? chain : nil)
    }

    /// The access token, renewed where it ends within `minimumLifetime`. For programs that send it themselves: they also answer for
    /// where they send it.
    ///
    /// - Parameter minimumLifetime: Where the server gives shorter lives, the newest token there is is returned.
    /// - Throws: ``SessionError`` with `.signInNeeded` where nobody is signed in and the policy forbids asking; else as ``refresh()`` and
    ///   ``signIn()`` do.
    public func accessToken(minimumLifetime: Duration = .zero) async throws(SessionError) -> AccessToken {
        let configuration = engine.configuration
        let lifetime = minimumLifetime / .seconds(1)
        if let held = engine.snapshot.settled, held.isFresh(at: configuration.now(), for: lifetime) { return AccessToken(held.credential) }
        let want = SessionMachine.Want.credential(minimumLifetime: lifetime, mayInteract: configuration.prompting == .onDemand)
        return AccessToken(try await engine.wait(for: want).get().credential)
    }

    /// Shows the sign-in page, also where someone is signed in already, and returns when the new credential is stored.
    ///
    /// Joins a sign-in that is under way: in this session, or in another session or process that shares the store, whose page is waited
    /// for as long as a sign-in may take. Cancelling the task leaves; the page ends when nobody waits for it any more.
    ///
    /// - Throws: ``SessionError``: `.cancelledByUser`, `.denied` or `.timedOut` where the person or the server's policy ended it;
    ///   `.securityCheckFailed` instead of a cancellation or time-out if a response with a wrong or missing `state` had arrived, and at
    ///   once if only this sign-in's own browser can bring one; `.cannotSignInHere` where no page can be shown; the other codes but `.signInNeeded` as they say. What was stored before stays.
    public func signIn() async throws(SessionError) {
        _ = try await engine.wait(for: .signIn).get()
    }

    /// Shows the sign-in page again, for a user who closed it. Does nothing if no page is shown now.
    ///
    /// AuthHub cannot see a closed page in the user's own browser: while ``SessionState/isSigningIn``, offer this and a way to cancel. A
    /// browser that notices closed windows ends the sign-in then, and has nothing to show again.
    ///
    /// - Throws: ``SessionError`` with `.cannotSignInHere` if the page cannot be opened; the sign-in goes on waiting.
    public func showSignInPageAgain() async throws(SessionError) {
        try await engine.showPageAgain().get()
    }

    /// Shows the sign-in page to get what a request lacked: ``HTTPLoading/LoadResponse/stepUpRequirement``.
    ///
    /// Asks for the needed scope beside the session's own and what is granted already, and for the needed class or age of the sign-in
    /// (RFC 9470 §4). A server may grant less: whether it was enough shows when the request is sent again, which is left to the caller.
    /// Ask only with the person's consent, and only once: a server that needs the same again is not satisfied by this sign-in. Those who
    /// ask at the same time share one page. A later ``signIn()`` asks for the session's own scope again.
    ///
    /// - Throws: ``SessionError`` as ``signIn()`` does. The credential that is there stays then.
    public func stepUp(_ need: StepUpRequirement) async throws(SessionError) {
        _ = try await engine.wait(for: .stepUp(need)).get()
    }

    /// Renews the access token now, however long it would live, and however shortly ago a refresh failed. Joins one that is under way.
    ///
    /// - Throws: ``SessionError``: `.signInNeeded` where nobody is signed in, the server ended the grant, or there is no refresh token;
    ///   `.unreachable`, `.serverRejected`, `.serverMisbehaved` and `.storeFailed` leave the tokens as they are.
    public func refresh() async throws(SessionError) {
        _ = try await engine.wait(for: engine.configuration.grant.needsPerson ? .renewal : .signIn).get()
    }

    /// Signs out: the stored credential is deleted, what is under way is ended, and the server is told.
    ///
    /// In this order, so that a crash after the deletion leaves the person signed out, and one before it changes nothing. The deleted
    /// tokens stay in a separate record of the store until they are revoked: after a crash, or if the server cannot be reached, the
    /// account's next session or sign-out revokes them (three attempts in all).
    /// 1. New loads fail with `.resetInProgress`, or wait until the end, by their ``HTTPLoading/WhileResetting``.
    /// 2. The stored credential is deleted. Callers that wait for a token or a sign-in are answered; nothing has been sent.
    /// 3. Loads under way are cancelled, bodies being read are cut; they get five seconds to end.
    /// 4. The server is asked to revoke the tokens, for ten seconds at most.
    /// 5. Where it is asked for, the server's page for signing out is shown in the session's browser (OpenID Connect RP-Initiated Logout
    ///    1.0), for as long as a person may take to sign in. Without it the browser stays signed in there, and the next sign-in may
    ///    need no password.
    /// 6. ``state`` becomes `.signedOut`, and loads are let in again.
    ///
    /// Chains of your own with an ``authorizer(onReset:)`` that signs out are reset at the same time.
    ///
    /// Joins a sign-out that is under way. If the calling task is cancelled, the sign-out continues, but the page is closed. If
    /// the sign-out is waiting for another process or a locked keyring at that time, it ends: nothing was changed, and the report says so.
    /// Tokens that a refresh or a sign-in brings afterwards are revoked, not stored.
    ///
    /// - Parameter endingServerSession: Whether to end the browser's session at the server, too. The client's redirect URI has to be
    ///   registered there as a `post_logout_redirect_uri`; else the server shows a page that does not return. No `id_token_hint` is
    ///   sent, since the session keeps no ID token: servers may ask the person to confirm.
    @discardableResult
    public func signOut(endingServerSession: Bool = false) async -> SignOutReport {
        await engine.signOut(resetting: chain, endingServerSession: endingServerSession)
    }

    /// Waits until what is under way has ended, a cancelled caller too. For programs that are about to exit: a refresh or an exchange whose
    /// request was sent brings tokens that would be lost. A refresh that still waits for another process is given up.
    public func finish() async {
        await engine.finish()
    }

    /// Reads the store if that was not done yet, so that ``state`` tells whether someone is signed in. Opens no page, sends nothing.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed`, or `.cancelledByProgram`.
    @discardableResult
    public func restore() async throws(SessionError) -> SessionState {
        if case .failure(let error) = await engine.wait(for: .knowledge), error.code != .signInNeeded { throw error }
        return state
    }

    /// What people may be shown now.
    public var state: SessionState { engine.snapshot.state }

    /// The state of now, and each that follows; slow readers miss some in between, never the newest. Ends with the session, once no chain
    /// has its authorizer either.
    public var states: AsyncStream<SessionState> { engine.snapshot.states() }

    /// The same for a reader that must miss none. The states it has not read yet are kept in memory.
    package var everyState: AsyncStream<SessionState> { engine.snapshot.states(.unbounded) }

    /// The provider with what is known about it, read from its metadata if needed.
    ///
    /// - Parameter endpoints: Endpoints that the caller will use: if the server's first metadata document lacks one of them, its other
    ///   documents are read, too.
    /// - Throws: ``SessionError`` where metadata is needed and cannot be had.
    public func provider(needing endpoints: Set<Endpoints.Name> = []) async throws(SessionError) -> ProviderProfile {
        try await engine.configuration.server.resolved(needing: endpoints)
    }
}
