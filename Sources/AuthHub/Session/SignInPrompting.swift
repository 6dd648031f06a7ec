/// Whether a request may open the sign-in page.
public enum SignInPrompting: Sendable, Hashable {
    /// A caller that needs a token while no one is signed in starts the one shared sign-in.
    case onDemand
    /// Only ``OAuthSession/signIn()`` opens the page. Other calls throw `.signInNeeded`.
    case manual
}
