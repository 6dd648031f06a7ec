import AuthHubPrimitives
import OAuthProtocol
import Platform

extension OAuthSession {
    /// Returns a new access token with less access than the account has, for use outside the session. The token is not stored, and the
    /// account keeps its own tokens and its scope.
    ///
    /// A scope and resources are requested by a refresh (RFC 6749 §6, RFC 8707 §2.2). If there is no refresh token, or for audiences, the
    /// account's access token is exchanged (RFC 8693).
    ///
    /// - Throws: ``SessionError``: `.serverRejected` with the server's error, such as `invalid_scope` or `invalid_target`; `.serverMisbehaved`
    ///   if the server issues something other than requested; otherwise the errors of ``accessToken(minimumLifetime:)``. A rejected request
    ///   does not sign the user out.
    package func accessToken(narrowedTo access: NarrowedAccess) async throws(SessionError) -> AccessToken {
        if access.audiences.isEmpty, case .signedIn(let facts) = try await restore(), facts.isRenewable {
            return try await engine.narrowedToken(access)
        }
        return try await exchangedToken(access)
    }

    private func exchangedToken(_ access: NarrowedAccess) async throws(SessionError) -> AccessToken {
        let full = try await accessToken()
        let profile = try await provider(needing: [.token])
        guard let credential = try await engine.configuration.store.credential(of: account)?.credential,
            credential.accessToken == full.value
        else { throw SessionError(.signInNeeded, "the account's tokens have changed; try again") }
        try credential.checkEndpoint(.token, of: profile)
        let exchange = TokenExchange(
            of: .init(full.value), for: .accessToken, resources: access.resources ?? [], audiences: access.audiences, scope: access.scope)
        let configuration = engine.configuration
        let response: TokenExchangeResponse
        do {
            let request = try TokenRequest.tokenExchange(exchange, client: configuration.client, at: profile)
            let answer = try await configuration.backChannel.send(request.message)
            response = try TokenExchangeResponse(answer.head, body: answer.body, to: request, from: profile, at: configuration.now())
        } catch {
            throw SessionError(cause: error)
        }
        guard response.issuedTokenType == .accessToken, let type = response.tokenType else {
            let issued = displayable(response.issuedTokenType.rawValue, limit: 200)
            throw SessionError(.serverMisbehaved, "the server issued a token of the type \(issued) instead of an access token")
        }
        let token = AccessToken(
            value: response.issuedToken, type: type, scope: response.scope, expiresAt: response.expiresAt, soleOrigin: full.soleOrigin)
        try access.check(token, insteadOf: full.value)
        return token
    }
}
