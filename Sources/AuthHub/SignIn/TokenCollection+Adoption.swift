import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

extension TokenCollection {
    /// The scope that adopted tokens have if no response says otherwise.
    func scope(of tokens: AdoptedTokens) -> Scope {
        switch tokens {
        case .refreshToken(_, let scope): scope ?? self.scope
        case .response(let response): response.scope
        case .signIn(let result): result.tokens.scope
        }
    }

    /// Refreshes and stores tokens that another program obtained.
    ///
    /// The other program may go on using them if this fails. Tokens are therefore revoked only after a sign-out, or if the server has
    /// replaced the refresh token, so that no program would have the new one.
    func adopt(
        _ tokens: AdoptedTokens, at profile: ProviderProfile, mayStore: @Sendable () async -> Bool, mayKeep: @Sendable () async -> Bool
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        var isReplaced = false
        do throws(SessionError) {
            var credential: Credential
            switch tokens {
            case .refreshToken(let refreshToken, _):
                credential = try await refreshed(refreshToken, scope: scope(of: tokens), at: profile)
                isReplaced = credential.refreshToken != refreshToken
            case .response(let response):
                credential = try await verified(response.adopted(at: profile), at: profile)
            case .signIn(let result):
                try result.requireIssue(to: client, at: profile, for: target)
                credential = Credential(result.received)
            }
            let agreed = try await check(&credential, at: profile)
            guard await mayStore() else {
                await revokeQuietly(credential)
                throw SessionError.signedOutMeanwhile
            }
            let version = try await isReplaced ? saveReplaced(credential, over: agreed) : save(credential, over: agreed)
            return .success(try await keep(credential, at: version, mayKeep: mayKeep))
        } catch {
            return .failure(isReplaced ? SessionError(losingGivenRefreshToken: error) : error)
        }
    }

    private func refreshed(_ refreshToken: Secret<String>, scope: Scope, at profile: ProviderProfile) async throws(SessionError)
        -> Credential
    {
        let request: TokenRequest
        do throws(OAuthError) {
            request = try TokenRequest.adopting(refreshToken, scope: scope, resources: target.resources, client: client, at: profile)
        } catch {
            throw SessionError(error)
        }
        let identity = IdentityVerifier(client: client, backChannel: backChannel)
        try await identity.prepare(for: request.idToken, at: profile)
        let answer = try await backChannel.send(request.message)
        let issuedAt = now()
        do {
            let response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
            backChannel.tell(response.irregularities)
            // No nonce was sent, and the ID token may be missing, as after any refresh (OpenID Connect Core 1.0 §12.2).
            let idToken = try await identity.verify(response, meeting: request.idToken, at: profile, on: .refresh(of: nil))
            return Credential(
                response, refreshing: refreshToken, idToken: idToken, issuedAt: issuedAt,
                sentAt: Date(sendingOf: answer.head, now: issuedAt))
        } catch {
            let error = SessionError(cause: error)
            guard let issued = (error.underlying as? OAuthError)?.issued, let new = issued.refreshToken, new != refreshToken else {
                throw error
            }
            await revoker.revokeQuietly(issued)
            throw SessionError(losingGivenRefreshToken: error)
        }
    }

    /// Stores tokens of which no other program has a copy. Retries for some seconds, and revokes the tokens if that does not help.
    private func saveReplaced(_ credential: Credential, over agreed: SignedInUser?) async throws(SessionError) -> CredentialVersion {
        var pauses = storeRetryPauses[...]
        while true {
            do throws(SessionError) {
                return try await save(credential, over: agreed)
            } catch {
                if error.underlying is UserCheck.DifferentUser { throw error }
                if let pause = pauses.popFirst() {
                    try? await clock.sleep(for: pause)
                    continue
                }
                if await !mayStand(credential, after: error) { await revokeQuietly(credential) }
                throw SessionError(losingRefreshToken: error)
            }
        }
    }

    private func verified(_ response: TokenResponse, at profile: ProviderProfile) async throws(SessionError) -> Credential {
        let expectation = IDTokenExpectation(scope: response.scope, client: client, at: profile)
        let identity = IdentityVerifier(client: client, backChannel: backChannel)
        let idToken = try await identity.verify(response, meeting: expectation, at: profile, on: .refresh(of: nil))
        return Credential(response, idToken: idToken, issuedAt: now())
    }
}
