import AuthHubPrimitives
public import OAuthProtocol

/// Signing users in without a session, for web servers. Nothing is stored, and no task waits for the user.
extension AuthorizationServer {
    /// Begins a sign-in on the server's page (RFC 6749 §4.1).
    ///
    /// Redirect the browser to the URL with status 303, and keep the pending sign-in until the callback arrives, as ``PendingSignIn``
    /// describes.
    ///
    /// ```swift
    /// let (url, pending) = try await server.beginSignIn(as: client, scope: ["openid"], redirectURI: redirectURI)
    /// ```
    ///
    /// The request has a `state`, PKCE and, if the scope has `openid`, a `nonce`. If the provider uses pushed authorization requests, it is
    /// sent to the server first (RFC 9126).
    ///
    /// - Parameters:
    ///   - client: The client, as registered with the provider.
    ///   - scope: The scope to request; `openid` for an ID token.
    ///   - redirectURI: The URL of your program that receives the callback, exactly as registered.
    ///   - target: The APIs to request tokens for, and authorization details (RFC 9396), in addition to the scope.
    ///   - claims: The claims to request by name.
    ///   - options: The options of this sign-in, such as a login hint.
    ///   - lifetime: How long the callback is accepted: 10 minutes by default, a year at most.
    /// - Throws: ``SessionError``: `.misconfigured` if the request is not valid, if the client lacks its secret or key, or if the provider
    ///   responds in the fragment or without a `state`; `.serverRejected` if the server rejects the request; `.unreachable`,
    ///   `.serverMisbehaved` and `.securityCheckFailed` for the server's metadata.
    public func beginSignIn(
        as client: OAuthClient, scope: Scope, redirectURI: RedirectURI, target: AccessTarget = AccessTarget(),
        claims: ClaimsRequest = ClaimsRequest(), options: SignInOptions = SignInOptions(), lifetime: Duration = .seconds(600)
    ) async throws(SessionError) -> (url: String, pending: PendingSignIn) {
        let page = PageFlow(
            request: AccessRequest(client: client, scope: scope, target: target, claims: claims), timeout: lifetime,
            backChannel: backChannel)
        let profile = try await directory(for: scope).resolved(needing: page.endpoints)
        do {
            try profile.requireResponsesForWebServers(at: redirectURI.description)
            let (url, authorization) = try await page.begin(
                at: profile, redirectingTo: redirectURI.description, for: SignInNeed(options))
            return (url, PendingSignIn(authorization: authorization, server: profile.identity, resources: target.resources))
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Finishes a sign-in: checks the callback, exchanges the code for tokens, and verifies the ID token.
    ///
    /// To keep the tokens fresh, give the result to a session: ``OAuthSession/adopt(_:)-(SignInResult)``.
    ///
    /// A callback with another `state` leaves the pending sign-in as it was. Every other callback uses it up, whether or not the sign-in
    /// succeeds. If the response to the token request fails a check, its tokens are revoked. Cancelling the task does not stop the requests.
    ///
    /// - Parameters:
    ///   - pending: The pending sign-in, from the browser that sent the callback.
    ///   - client: The client that began the sign-in.
    ///   - callback: The complete URL of the callback. Build it from the redirect URI and the query of the request, because the request's
    ///     `Host` field can name any host.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the callback is not the one that the sign-in waits for, was already used, or
    ///   names another issuer (RFC 9207), or if the ID token is not valid; `.timedOut` after ``PendingSignIn/expiresAt``; `.denied` if the
    ///   user or the server denied access; `.serverRejected` for other errors of the server, such as `login_required`; `.misconfigured` for
    ///   another client or server than the one that began; `.unreachable` and `.serverMisbehaved` for the server's responses.
    public func finishSignIn(
        _ pending: inout PendingSignIn, as client: OAuthClient, callback: String
    ) async throws(SessionError) -> SignInResult {
        try await finish(&pending, as: client, .url(Secret(callback)))
    }

    /// Finishes a sign-in whose response the browser posted as a form (`response_mode=form_post`), such as Apple's, as
    /// ``finishSignIn(_:as:callback:)`` does. The browser sends the cookie with such a request only if it is `SameSite=None`.
    ///
    /// - Parameters:
    ///   - form: The body of the request, unchanged.
    ///   - url: The URL that the form was posted to: the redirect URI.
    /// - Throws: The errors of ``finishSignIn(_:as:callback:)``.
    public func finishSignIn(
        _ pending: inout PendingSignIn, as client: OAuthClient, form: String, postedTo url: String
    ) async throws(SessionError) -> SignInResult {
        try await finish(&pending, as: client, .form(Secret(form), postedTo: Secret(url)))
    }

    private func finish(
        _ pending: inout PendingSignIn, as client: OAuthClient, _ callback: AuthorizationCallback
    ) async throws(SessionError) -> SignInResult {
        let scope = pending.authorization.scope
        let directory = directory(for: scope)
        let request = AccessRequest(client: client, scope: scope, target: AccessTarget(resources: pending.resources))
        let page = PageFlow(request: request, timeout: .zero, backChannel: backChannel)
        // Before the callback is used up: without the server's metadata, the code could not be exchanged.
        let profile = try await directory.resolved(needing: page.endpoints)
        // RFC 9700 §4.4: the code and the client's secret go to the server that the sign-in began at.
        guard pending.server.hasSameBytes(as: profile.identity), pending.authorization.clientID.hasSameBytes(as: client.id) else {
            throw SessionError(.misconfigured, "the sign-in was begun by a different client or at a different server")
        }
        let backChannel = backChannel
        // In a separate task, which is not cancelled: a code that is used up must be exchanged, and issued tokens must not be lost.
        let (outcome, authorization) = await Task { [waiting = pending.authorization] in
            var authorization = waiting
            var grant: SignInGrant?
            let outcome: Result<ReceivedTokens, SessionError>
            do throws(SessionError) {
                let granted = try await page.grant(callback, by: &authorization, at: profile)
                grant = granted
                outcome = .success(try await granted.tokens(for: client, at: profile, by: backChannel))
            } catch {
                await Revoker(client: client, server: directory, backChannel: backChannel).revokeTokens(in: error, and: grant)
                outcome = .failure(error)
            }
            return (outcome, authorization)
        }.value
        pending.authorization = authorization
        return SignInResult(
            received: try outcome.get(), server: profile.identity, clientID: client.id, resources: pending.resources)
    }
}
