/// What a provider's answers to authorization requests are like. What is set here for a provider weakens what is checked, or says why
/// nothing else can be had: it belongs into a profile, not into a program.
public struct AuthorizationResponseQuirks: Sendable, Hashable {
    /// `.code` everywhere but at providers that give programs without a secret nothing else than the implicit grant.
    ///
    /// A token in the fragment is bound to nobody: whoever reads the callback has it, no PKCE makes it worthless, and one that belongs to
    /// somebody else can be slipped in by whoever guesses the `state`. It cannot be renewed either. RFC 9700 §2.1.2 advises against it, and
    /// OAuth 2.1 has dropped it. With `.code`, a callback that holds a token is refused, and the other way round.
    public var responseType = ResponseType.code
    /// Where the answer shall stand; nil leaves it to the type's default, and asks for nothing. Tokens are never asked for in a query,
    /// where servers would write them into their logs.
    public var responseMode: ResponseMode?
    /// Whether a request for a token leaves out `redirect_uri`, because the provider takes the registered one and refuses to be told.
    /// The callback has to come to the client's redirect URI all the same. Requests for a code always name it.
    public var omitsRedirectURIWhereATokenIsAskedFor = false
    /// Whether an answer may come without the `state` that was sent. One that comes with another `state` is refused still.
    ///
    /// Then nothing ties the answer to this sign-in (RFC 6749 §10.12): any page that the person's browser has open, and any program on the
    /// machine, can end the sign-in with an account of its own while it waits. For a code, PKCE and the provider's own check stand
    /// against that; for a token, nothing does.
    public var acceptsAnswersWithoutStateBecauseTheProviderEchoesNone = false
    /// The provider's own page that shows a code or a token for the person to copy, where no callback can arrive: a redirect URI like any
    /// other. nil where the provider has none.
    ///
    /// Of a sign-in that leads to this page, and of no other, the text that a person pastes is taken as the code or the token itself. A
    /// person who can be talked into pasting what somebody else gave them is then signed in to somebody else's account: `state` is not
    /// part of what the page shows, so that it cannot be checked.
    public var pinPageWhoseTextIsTakenWithoutState: String?

    public init() {}

    /// The mode that answers are judged by.
    public var effectiveMode: ResponseMode { responseMode ?? responseType.defaultMode }
}
