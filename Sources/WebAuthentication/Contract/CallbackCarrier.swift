/// What carries the answer of an authorization server to the redirect URI.
public enum CallbackCarrier: Sendable, Hashable {
    /// The query of the URL that the browser is sent to.
    case query
    /// Its fragment, which browsers keep to themselves: a loopback listener answers with a page that hands it over.
    case fragment
    /// A form that the browser posts there (OAuth 2.0 Form Post Response Mode §2). Custom schemes and Apple's windows bring none.
    case form
}
