public import AuthHubPrimitives

/// A callback as it came, of which nothing has been judged yet.
public enum AuthorizationCallback: Sendable {
    /// The whole URL that the browser was sent to, with query and fragment.
    case url(Secret<String>)
    /// A form that the browser posted, and the URL that it posted it to (OAuth 2.0 Form Post Response Mode §2).
    case form(Secret<String>, postedTo: Secret<String>)
    /// What a person copied from the provider's pin page (``AuthorizationResponseQuirks/pinPageWhoseTextIsTakenWithoutState``).
    case pin(Secret<String>)
}

/// What a callback was judged to bring.
public enum AuthorizationResponse: Sendable {
    /// To be exchanged for tokens.
    case code(AuthorizationCode)
    /// The tokens themselves, of the implicit grant: there is nothing to exchange.
    case tokens(TokenResponse)
}
