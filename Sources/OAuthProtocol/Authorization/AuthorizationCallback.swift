package import AuthHubPrimitives

/// A callback as received, before any check.
package enum AuthorizationCallback: Sendable {
    /// The whole URL that the browser was sent to, with query and fragment.
    case url(Secret<String>)
    /// A form that the browser posted, and the URL that it was posted to (OAuth 2.0 Form Post Response Mode §2).
    case form(Secret<String>, postedTo: Secret<String>)
    /// The text that the user copied from the provider's pin page (``PendingAuthorization/acceptsPin``).
    case pin(Secret<String>)
}

/// What an accepted callback contains.
package enum AuthorizationResponse: Sendable {
    /// A code, to be exchanged for tokens.
    case code(AuthorizationCode)
    /// The tokens themselves, in the implicit grant.
    case tokens(TokenResponse)
}
