import AuthHubPrimitives
import OAuthProtocol

/// Revokes tokens that are no longer needed.
struct Revoker: Sendable {
    let client: OAuthClient
    let server: ServerDirectory
    let backChannel: BackChannel

    /// The time limit for revocation in a sign-out, including the request for the server's metadata and one request per token.
    static let timeLimit = Duration.seconds(10)

    /// Sends a request for each token, because a server that does not revoke one kind may revoke the other (RFC 7009 §2.2.1).
    ///
    /// - Returns: Whether the tokens are revoked; false if the server does not offer revocation.
    /// - Throws: ``SessionError`` for the first rejected request, or with `.unreachable` as soon as there is no response.
    @concurrent
    func revoke(_ credential: Credential) async throws(SessionError) -> Bool {
        let profile = try await server.resolved(needing: [.revocation])
        try credential.checkEndpoint(.revocation, of: profile)
        do {
            guard let credential = try await nameable(credential, at: profile) else { return true }
            let requests = try RevocationRequest.revoking(
                accessToken: credential.accessToken, refreshToken: credential.refreshToken, client: client, at: profile)
            await revokeQuietly(credential.otherRefreshTokens, at: profile)
            var refusal: OAuthError?
            for request in requests.map({ $0.hiding(credential.secrets) }) {
                let answer = try await backChannel.send(request.message)
                do throws(OAuthError) {
                    try request.checkResponse(answer.head, body: answer.body, from: profile, at: backChannel.now())
                } catch {
                    refusal = refusal ?? error
                }
            }
            if let refusal { throw refusal }
            return !requests.isEmpty
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Returns a credential whose access token the server still accepts as a reference to the grant. If the server revokes a grant only by
    /// its access token, and that has expired, the refresh token would stay valid. The tokens are therefore refreshed once more.
    ///
    /// - Returns: nil if the server has already revoked the grant.
    private func nameable(_ credential: Credential, at profile: ProviderProfile) async throws -> Credential? {
        guard profile.revocation.namesAccessTokensOnly, let refreshToken = credential.refreshToken,
            credential.isExpired(at: backChannel.now())
        else { return credential }
        let request = try TokenRequest.refresh(refreshToken, scope: credential.scope, client: client, at: profile)
            .hiding([credential.accessToken])
        let answer = try await backChannel.send(request.message)
        let now = backChannel.now()
        do {
            let response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: now)
            return Credential(refreshing: credential, with: response, issuedAt: now)
        } catch  where error.serverError?.code == .invalidGrant {
            return nil
        }
    }

    /// Revokes tokens that will not be used, and ignores errors, because nothing more can be done.
    func revokeQuietly(_ credential: Credential) async {
        _ = try? await revoke(credential)
    }

    /// Revokes the tokens in a response that was not accepted, as far as possible.
    @concurrent
    func revokeQuietly(_ issued: IssuedTokens) async {
        guard let profile = try? await server.resolved(needing: [.revocation]),
            issued.soleOrigin == nil || profile.endpoints?.revocation.flatMap(Origin.init(url:)) == issued.soleOrigin
        else { return }
        await revokeQuietly([issued.refreshToken].compactMap(\.self) + issued.otherRefreshTokens, at: profile)
        guard let token = issued.accessToken,
            let request = try? RevocationRequest.revoking(token, hint: .accessToken, client: client, at: profile)
        else { return }
        _ = try? await backChannel.send(request.message)
    }

    /// Revokes refresh tokens that may not be valid.
    private func revokeQuietly(_ refreshTokens: [Secret<String>], at profile: ProviderProfile) async {
        // At a nonstandard endpoint, the access token identifies itself, and the effect of sending a refresh token is unknown.
        guard profile.revocation == .standard else { return }
        for token in refreshTokens {
            guard let request = try? RevocationRequest.revoking(token, hint: .refreshToken, client: client, at: profile) else { continue }
            _ = try? await backChannel.send(request.message)
        }
    }
}

extension RevocationStyle {
    /// Whether a refresh token can be revoked only through its access token.
    fileprivate var namesAccessTokensOnly: Bool {
        switch self {
        case .none, .standard: false
        case .gitHub, .authorizedByToken: true
        }
    }
}

extension SessionPart {
    var revoker: Revoker { Revoker(client: client, server: server, backChannel: backChannel) }
}
