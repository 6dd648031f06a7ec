public import AuthHubPrimitives
public import OAuthProtocol

extension OAuthSession {
    /// Signs in with a refresh token that another program or library obtained for the same client, so that the user does not have to sign
    /// in again.
    ///
    /// Refreshes at once, and stores the tokens only if that succeeds. They replace the account's stored credential, as those of a sign-in
    /// do. If the refresh fails, the stored credential is unchanged. The refresh token usually stays valid; it does not if the server has
    /// replaced it. If that response arrived but cannot be used or stored, the new tokens are revoked, because no program has them.
    ///
    /// If the scope has `openid` and the response has an ID token, ``identity`` says who signed in. Many servers return none after a
    /// refresh.
    ///
    /// Afterwards, the refresh token belongs to the session: delete the other program's copy. If the server replaces refresh tokens, a
    /// second program that uses the old one is signed out, and usually this session as well (RFC 9700 §4.14).
    ///
    /// If the task is cancelled, the request to the server is still completed.
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token. The server issued it to the session's client.
    ///   - scope: The granted scope if the server's response does not name it; nil for the session's scope.
    /// - Throws: ``SessionError``. `.serverRejected` with `invalid_grant` if the server does not accept the refresh token: it has expired,
    ///   was revoked or replaced, or belongs to another client. `.misconfigured` if it has characters that no token has. `.unreachable`,
    ///   `.serverMisbehaved`, `.securityCheckFailed` and `.storeFailed` as for ``refresh()``; `.cancelledByProgram` if the session was
    ///   signed out in the meantime.
    public func adopt(refreshToken: Secret<String>, scope: Scope? = nil) async throws(SessionError) {
        try await engine.adopt(.refreshToken(refreshToken, scope: scope)).get()
    }

    /// Signs in with tokens that are already there: those of another program or library, or those that
    /// ``AuthorizationServer/tokens(by:as:)`` returned.
    ///
    /// Stores the tokens without a request, so an access token that the server does not accept is noticed only when it is used. They
    /// replace the account's stored credential, as those of a sign-in do. If there is a refresh token, prefer
    /// ``adopt(refreshToken:scope:)``, which checks it.
    ///
    /// An ID token in the response is verified if the response's scope has `openid`.
    ///
    /// - Parameter response: The tokens. The server issued them to the session's client.
    /// - Throws: ``SessionError`` with `.storeFailed` if they cannot be stored, `.securityCheckFailed` if the ID token is not valid,
    ///   `.unreachable` if the server's metadata or keys are needed but not available, or `.cancelledByProgram` if the session was signed
    ///   out in the meantime: the tokens are then revoked. After all other errors, they are still valid.
    public func adopt(_ response: TokenResponse) async throws(SessionError) {
        try await engine.adopt(.response(response)).get()
    }

    /// Signs in with the result of a sign-in without a session, and keeps its tokens fresh from now on.
    ///
    /// For web servers, whose sessions have the grant ``AuthorizationGrant/refreshToken``:
    ///
    /// ```swift
    /// try await OAuthSession(configuration, label: user.id).adopt(result)
    /// ```
    ///
    /// Stores the tokens without a request. They replace the account's stored credential, as those of a sign-in do.
    ///
    /// - Parameter result: The result, for the session's client and server.
    /// - Throws: ``SessionError`` with `.storeFailed` if the tokens cannot be stored, `.misconfigured` if they are for another client or from
    ///   another server or other APIs, `.unreachable` if the server's metadata is needed but not available, or `.cancelledByProgram` if the
    ///   session was signed out in the meantime: the tokens are then revoked. After all other errors, they are still valid.
    public func adopt(_ result: SignInResult) async throws(SessionError) {
        try await engine.adopt(.signIn(result)).get()
    }
}
