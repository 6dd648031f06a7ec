/// What a request does if the server rejects its access token (status 401) and a refresh does not help.
public enum UnauthorizedPolicy: Sendable, Hashable {
    /// The caller gets the server's response.
    case report
    /// The session asks the user to sign in, if ``OAuthSession/Configuration/prompting`` allows it, and sends the request once more with
    /// the new token.
    ///
    /// The user is asked if the server rejects the refreshed token as well, if the server has revoked the grant, or if there is no refresh
    /// token. All rejected requests share one sign-in page. If the server rejects the new token, too, the caller gets that response. A
    /// request whose body can be read only once is not sent again, and its caller gets the server's response.
    ///
    /// If the user declines, the session does not ask again about the same token. Calling ``OAuthSession/signIn(_:)`` asks again.
    case signInAgain
}
