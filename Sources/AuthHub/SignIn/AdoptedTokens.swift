import AuthHubPrimitives
import OAuthProtocol

/// Tokens that another program obtained, for a session that takes them over.
enum AdoptedTokens: Sendable {
    /// A refresh token, which is used at once. The scope counts as granted if the response has none; nil for that of the session.
    case refreshToken(Secret<String>, scope: Scope?)
    /// Tokens that are stored as they are.
    case response(TokenResponse)
    /// The result of a sign-in without a session, which is stored as it is.
    case signIn(SignInResult)
}
