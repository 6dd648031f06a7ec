/// The part of a request to the redirect URI that carries the authorization response.
public enum CallbackResponseMode: Sendable, Hashable {
    /// The query of the redirect URL.
    case query
    /// The fragment of the redirect URL. Browsers do not send fragments to servers, so a loopback listener returns a page that reads the
    /// fragment and sends it.
    case fragment
    /// A form that the browser posts (OAuth 2.0 Form Post Response Mode §2). Custom schemes and the authentication sessions of Apple's
    /// systems do not support it.
    case form
}
