/// What a request does if the server rejects its access token (status 401) and a refresh does not help.
public enum UnauthorizedPolicy: Sendable, Hashable {
    /// The caller gets the server's response.
    case report
    /// The request asks the user to sign in, if ``OAuthSession/Configuration/prompting`` allows it, and is sent once more with the new
    /// token.
    ///
    /// That happens if the refreshed token is rejected as well, if the server has revoked the grant, or if there is no refresh token. All
    /// requests that are rejected share one page. If the new token is rejected, too, the caller gets that response; so does a request whose
    /// body can be read only once.
    ///
    /// A user who declines is not asked about the same token again; ``OAuthSession/signIn()`` asks again.
    case signInAgain
}
