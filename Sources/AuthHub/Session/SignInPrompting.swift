/// Whether a request may open the sign-in page.
public enum SignInPrompting: Sendable, Hashable {
    /// A caller that needs a token while no one is signed in opens the page. Concurrent callers share one sign-in.
    case onDemand
    /// Only ``OAuthSession/signIn(_:)`` and ``OAuthSession/stepUp(_:)`` open the page. Other calls that need a sign-in throw `.signInNeeded`.
    case manual
}
