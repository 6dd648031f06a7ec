import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The tokens of a sign-in, which have passed every check and are not stored yet.
struct ReceivedTokens: Sendable {
    let response: TokenResponse
    /// The verified ID token; nil if there is none.
    let idToken: IDToken?
    /// The description of the user in the callback, a JSON object that is not signed; nil if there is none.
    var user: Secret<String>?
    /// When the response was received, by the local clock.
    let issuedAt: Date
    /// When the server sent the response, by its own clock; nil if the response did not say.
    let sentAt: Date?
}

extension Credential {
    init(_ tokens: ReceivedTokens) {
        self.init(tokens.response, idToken: tokens.idToken, user: tokens.user, issuedAt: tokens.issuedAt, sentAt: tokens.sentAt)
    }
}

extension SignInGrant {
    /// Requests the tokens if they have not been issued yet, and verifies the ID token. Must not be cancelled once begun: issued
    /// tokens must not be lost.
    ///
    /// - Throws: ``SessionError``. If tokens were issued, its `underlying` is an `OAuthError` that has them.
    func tokens(
        for client: OAuthClient, at profile: ProviderProfile, by backChannel: BackChannel
    ) async throws(SessionError) -> ReceivedTokens {
        let identity = IdentityVerifier(client: client, backChannel: backChannel)
        switch self {
        case .tokens(let response, let expectation, let issuedAt, let sentAt):
            let idToken = try await identity.verify(response, meeting: expectation, at: profile)
            return ReceivedTokens(response: response, idToken: idToken, issuedAt: issuedAt, sentAt: sentAt)
        case .request(let request, _):
            try await identity.prepare(for: request.idToken, at: profile)
            let answer = try await backChannel.send(request.message)
            let issuedAt = backChannel.now()
            let response: TokenResponse
            do throws(OAuthError) {
                response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
            } catch {
                throw SessionError(error)
            }
            backChannel.tell(response.irregularities)
            let idToken = try await identity.verify(response, meeting: request.idToken, at: profile)
            return ReceivedTokens(
                response: response, idToken: idToken, user: request.user, issuedAt: issuedAt,
                sentAt: Date(sendingOf: answer.head, now: issuedAt))
        }
    }
}

extension Revoker {
    /// Revokes the tokens in the response that made a sign-in fail, and the access token in its callback.
    func revokeTokens(in error: SessionError, and grant: SignInGrant?) async {
        if let issued = (error.underlying as? OAuthError)?.issued { await revokeQuietly(issued) }
        if case .request(_, let issued?) = grant { await revokeQuietly(issued) }
    }
}
