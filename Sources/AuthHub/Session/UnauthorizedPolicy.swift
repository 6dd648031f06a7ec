extension OAuthSession {
    /// What a request does when the server refuses its access token (status 401), and a refresh does not help.
    public enum UnauthorizedPolicy: Sendable, Hashable {
        /// The server's answer stands; who loads decides.
        case report
        /// The request asks the person, where ``OAuthSession/SignInPolicy`` lets it, and is sent once more with the new token: where the
        /// token of the refresh is refused, too, where the server has ended the grant, or where nothing can be renewed. All who are refused
        /// share one page. What is refused after that stands, and so it does for requests whose body comes but once.
        ///
        /// A person who declines is not asked about the same token again; ``OAuthSession/signIn()`` is the way back.
        case signInAgain
    }
}
