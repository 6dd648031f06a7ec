import AuthHubPrimitives
import OAuthProtocol

/// Tells the server that tokens are not needed any more.
struct Revoker: Sendable {
    let client: OAuthClient
    let server: ServerDirectory
    let backChannel: BackChannel

    /// How long the server is tried to be told in a sign-out, in all: its metadata and each token.
    static let timeLimit = Duration.seconds(10)

    /// Asks for each token: a server that does not revoke one kind may well revoke the other (RFC 7009 §2.2.1).
    ///
    /// - Returns: Whether the server has, and took, a request to revoke.
    /// - Throws: ``SessionError`` for the first that it did not take, or with `.unreachable` as soon as no answer comes.
    @concurrent
    func revoke(_ credential: Credential) async throws(SessionError) -> Bool {
        let profile = try await server.resolved(needing: [.revocation])
        try credential.checkEndpoint(.revocation, of: profile)
        do {
            guard let credential = try await nameable(credential, at: profile) else { return true }
            let requests = try RevocationRequest.revoking(
                accessToken: credential.accessToken, refreshToken: credential.refreshToken, client: client, at: profile)
            var refusal: OAuthError?
            let secrets = [credential.accessToken, credential.refreshToken].compactMap(\.self)
            for request in requests.map({ $0.hiding(secrets) }) {
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

    /// A credential by which the server can be told. Where only an access token names what is to end, and it has ended itself, the refresh
    /// token would live on: one more refresh brings an access token that is known there.
    ///
    /// - Returns: nil where the server has ended the grant itself.
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

    /// For tokens that nobody will use: trying is all that can be done.
    func revokeQuietly(_ credential: Credential) async {
        _ = try? await revoke(credential)
    }

    /// Revokes the tokens in a response that was not accepted, as far as possible.
    @concurrent
    func revokeQuietly(_ issued: IssuedTokens) async {
        guard let profile = try? await server.resolved(needing: [.revocation]),
            issued.soleOrigin == nil || profile.endpoints?.revocation.flatMap(Origin.init(url:)) == issued.soleOrigin
        else { return }
        // At an endpoint that is not standard, an access token names itself, and the effect of a refresh token is unknown.
        let refreshToken = profile.revocation == .standard ? issued.refreshToken : nil
        for (token, hint) in [(refreshToken, TokenTypeHint.refreshToken), (issued.accessToken, .accessToken)] {
            guard let token, let request = try? RevocationRequest.revoking(token, hint: hint, client: client, at: profile) else { continue }
            _ = try? await backChannel.send(request.message)
        }
    }
}

extension RevocationStyle {
    /// Whether a refresh token ends with the access token that is named, and by no name of its own.
    fileprivate var namesAccessTokensOnly: Bool {
        switch self {
        case .none, .standard: false
        case .gitHub, .authorizedByToken: true
        }
    }
}
