import AuthHubPrimitives
public import OAuthProtocol

/// The result of a sign-in that ``AuthorizationServer/finishSignIn(_:as:callback:)`` finished. Nothing is stored yet.
public struct SignInResult: Sendable {
    /// The tokens that the server issued.
    public var tokens: TokenResponse { received.response }
    /// Who signed in, verified; nil if `openid` was not requested, or if the provider's profile says that the ID token may be missing.
    public var idToken: IDToken? { received.idToken }

    let received: ReceivedTokens
    /// The server that issued the tokens, and the client that it issued them to.
    let server: String
    let clientID: String
    /// The APIs that the tokens are for.
    let resources: [ResourceIndicator]
}

extension SignInResult {
    /// Checks that a session for this client, this server and these APIs may adopt the tokens, because it would send them there.
    func requireIssue(to client: OAuthClient, at profile: ProviderProfile, for target: AccessTarget) throws(SessionError) {
        guard clientID.hasSameBytes(as: client.id), server.hasSameBytes(as: profile.identity) else {
            throw SessionError(.misconfigured, "the tokens belong to a different client or server than the session's")
        }
        guard Set(resources) == Set(target.resources) else {
            throw SessionError(.misconfigured, "the tokens are for other APIs than the session's")
        }
    }
}
