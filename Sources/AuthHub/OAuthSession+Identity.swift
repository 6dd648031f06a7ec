public import AuthHubPrimitives
public import OAuthProtocol

extension OAuthSession {
    /// The user who is signed in, according to the server's verified ID token; nil if no one is signed in, or if the sign-in did not
    /// request `openid`. Reads the store, and sends no request.
    ///
    /// If the scope has `openid`, a session verifies the ID token of each sign-in, and decrypts it first if the client registered for
    /// encryption (``OAuthProtocol/OAuthClient/registered``). A provider without an issuer or a key set makes the sign-in fail. After a
    /// refresh, the session still belongs to the same user: an ID token that names another user makes the refresh fail (OpenID Connect Core
    /// 1.0 §12.2).
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read.
    public var identity: IDToken? {
        get async throws(SessionError) {
            try await engine.configuration.store.credential(of: account)?.credential.idToken.flatMap(IDToken.init(stored:))
        }
    }

    /// The description of the user in the callback of the sign-in; nil if no one is signed in, or if there was no description. Apple sends
    /// the user's name this way, and only at the user's first sign-in with the client. Reads the store, and sends no request.
    ///
    /// The description is not signed, and the user can change it. Only ``identity`` says who signed in.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read.
    public var unverifiedUser: JSONObject? {
        get async throws(SessionError) {
            try await engine.configuration.store.credential(of: account)?.credential.user.flatMap {
                try? JSONValue(received: $0.reveal().utf8).object
            }
        }
    }

    /// Requests the server's claims about the signed-in user (OpenID Connect Core 1.0 §5.3).
    ///
    /// Which claims the server returns depends on the granted scope, such as `profile` and `email`. A response about a different user than the
    /// one in ``identity`` is rejected, and so is a response that is not signed or encrypted as the client registered.
    ///
    /// - Throws: ``SessionError``: `.signInNeeded` if no one is signed in; `.misconfigured` if the sign-in has no verified ID token, or the
    ///   server has no UserInfo endpoint; `.securityCheckFailed` if the endpoint is on an origin that does not receive the access
    ///   token (no request is sent then), the response is about another user, or its signature is not valid; `.serverMisbehaved` if it is
    ///   not a UserInfo response; otherwise the errors of ``load(_:)``.
    public func userInfo() async throws(SessionError) -> UserInfo {
        guard let person = try await identity else {
            guard case .signedIn = try await restore() else { throw SessionError(.signInNeeded, "no one is signed in") }
            throw SessionError(
                .misconfigured, "it is not known who signed in, because there is no ID token; add openid to the scope, and sign in again")
        }
        let profile = try await provider(needing: [.userInfo, .jwks])
        // Without the token, the response says nothing about who is signed in.
        if let origin = profile.endpoints?.userInfo.flatMap(Origin.init(url:)), !engine.configuration.server.sendsToken(to: origin) {
            throw SessionError(
                .securityCheckFailed, "the UserInfo endpoint is at \(origin), which does not receive the access token; no request was sent")
        }
        let reader = engine.configuration.userInfoReader(at: profile)
        return try await reader.read(about: person) { request throws(LoadError) in try await load(request) }
    }

    /// Reads claims about the user that other issuers vouch for, such as a bank that knows the user's address (OpenID Connect Core 1.0
    /// §5.6.2). The provider only passes them on, or says where they are.
    ///
    /// Claims that any other issuer signed are not used. A claim of another issuer never replaces a claim of the provider.
    ///
    /// - Parameters:
    ///   - claims: The claims of the provider: ``OAuthProtocol/UserInfo/claims`` or ``OAuthProtocol/IDToken/claims``.
    ///   - issuers: The issuers that you trust with such claims. Their keys are read from their metadata, or from the profile.
    ///   - fetching: Whether to fetch claims that are at other servers (distributed claims). These servers must be on the public internet,
    ///     and receive only the access token that the provider issued for them.
    /// - Returns: One result for each source, in the provider's order. `.securityCheckFailed` means that the claims are not signed by a
    ///   trusted issuer. `.misconfigured` means that they are at another server and `fetching` is false.
    /// - Throws: ``SessionError`` with `.serverMisbehaved` if the claims do not describe their sources correctly.
    public func externalClaims(
        in claims: JSONObject, from issuers: [ProviderProfile], fetching: Bool = false
    ) async throws(SessionError) -> [Result<ExternalClaims, SessionError>] {
        let sources: [ClaimSource]
        do throws(OAuthError) {
            sources = try ClaimSource.sources(in: claims)
        } catch {
            throw SessionError(error)
        }
        let reader = engine.configuration.externalClaimsReader(from: issuers, fetching: fetching)
        var results: [Result<ExternalClaims, SessionError>] = []
        for source in sources {
            do throws(SessionError) {
                results.append(.success(try await reader.read(source)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}
