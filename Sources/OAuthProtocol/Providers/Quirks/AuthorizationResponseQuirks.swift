extension ProviderQuirks {
    /// The form of a provider's authorization responses. Most of these values weaken the checks; the comment of each one explains the risk.
    package struct AuthorizationResponseQuirks: Sendable, Hashable {
        /// `.code`, except at providers that offer only the implicit grant to clients without a secret.
        ///
        /// A token in the fragment is bound to no one: anyone who reads the callback has the token, PKCE does not protect it, and an
        /// attacker who guesses the `state` can inject a token of their own. It cannot be refreshed either. RFC 9700 §2.1.2 advises
        /// against it, and OAuth 2.1 has dropped it. With `.code`, a callback that holds a token is rejected, and vice versa.
        package var responseType = ResponseType.code
        /// The part of the callback in which the response is requested; nil means the default of the response type, without a
        /// `response_mode` parameter. Tokens are never requested in the query, because servers would write them into their logs.
        package var responseMode: ResponseMode?
        /// Whether a request for a token leaves out `redirect_uri`, because the provider uses the registered one and rejects the
        /// parameter. The callback must still arrive at the client's redirect URI. Requests for a code always have the parameter.
        package var omitsRedirectURIIfATokenIsRequested = false
        /// Whether a response without a `state` is accepted. A response with a different `state` is still rejected.
        ///
        /// Without `state` nothing ties the response to this sign-in (RFC 6749 §10.12): while it waits, any page open in the user's browser
        /// and any program on the machine can complete it with another account. PKCE and the provider's own check protect a code from
        /// that; nothing protects a token.
        package var acceptsResponsesWithoutStateBecauseTheProviderEchoesNone = false
        /// The provider's page that shows a code or a token for the user to copy if no callback can arrive. It is registered like any other
        /// redirect URI. nil if the provider has none.
        ///
        /// Only in a sign-in that uses this page as its redirect URI, the text that the user pastes is accepted as the code or the token
        /// itself. The page does not show `state`, so it cannot be checked: a user who is talked into pasting an attacker's text is
        /// signed in to the attacker's account.
        package var pinPageWhoseTextIsAcceptedWithoutState: String?
        /// The parameter of a callback that describes the user as a JSON object, next to the code; nil if the provider has none. It is not
        /// signed, and the user can change it.
        package var userParameter: String?

        package init() {}

        /// The mode in which responses must arrive.
        package var effectiveMode: ResponseMode { responseMode ?? responseType.defaultMode }
    }
}
