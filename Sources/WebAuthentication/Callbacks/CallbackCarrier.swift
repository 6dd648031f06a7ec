/// The carrier of an authorization server's response to the redirect URI.
public enum CallbackCarrier: Sendable, Hashable {
    /// The query of the URL to which the browser is redirected.
    case query
    /// The URL's fragment, which browsers do not send: a loopback listener responds with a page that passes it on.
    case fragment
    /// A form that the browser posts there (OAuth 2.0 Form Post Response Mode §2). Not supported by custom schemes and Apple's windows.
    case form
}
