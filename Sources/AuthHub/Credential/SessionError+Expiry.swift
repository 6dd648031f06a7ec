import OAuthProtocol
import Platform

extension SessionError {
    /// The server does not let the client refresh tokens (RFC 6749 §5.2). The access token can be used until it expires.
    static func withoutRefresh(_ credential: Credential, because error: OAuthError, at now: Date) -> Self {
        let rest =
            credential.isExpired(at: now)
            ? "the access token has expired; sign in again" : "the access token can be used until it expires; then sign in again"
        return Self(
            .signInNeeded, "the server does not let this client refresh tokens (\(error.explanation)); \(rest)",
            serverError: error.serverError, underlying: error)
    }

    /// The user has to sign in again, because the credential has expired or cannot be refreshed.
    static func unrefreshable(_ credential: Credential, at now: Date) -> Self {
        guard let end = credential.expiresAt, end <= now else {
            return Self(.signInNeeded, "the access token cannot be refreshed, because there is no refresh token")
        }
        return Self(
            .signInNeeded, "the sign-in has expired: the access token was valid until \(end.formatted(.iso8601)) and cannot be refreshed")
    }
}
