extension Persona {
    /// The quirks of a server that returns tokens in the callback itself (RFC 6749 §4.2).
    package struct ImplicitQuirks: Sendable, Hashable {
        /// Whether the callback repeats the `state` of the request.
        package var echoesState = true

        /// Creates the quirks of a server that follows RFC 6749 §4.2.
        package init() {}
    }

    /// AniList: implicit and authorization code grants, a page that shows the code or token, no scopes, no refresh tokens, and a GraphQL
    /// API.
    public static let aniList = {
        var persona = Self(
            name: "anilist", addresses: Addresses(authorization: "/api/v2/oauth/authorize", token: "/api/v2/oauth/token"), scopes: [])
        persona.authorization.refusesUnknownScopes = false
        persona.authorization.codeChallenge = .ignored
        persona.authorization.redirectURIMayBeLeftOut = true
        persona.authorization.namesIssuer = false
        persona.tokenRequests.encodings = [.form, .json]
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.grantedScope = .absent
        persona.tokens.refreshTokens = .never
        persona.revocation = .none
        persona.implicit = ImplicitQuirks()
        persona.pinPath = "/api/v2/oauth/pin"
        persona.graphQLPath = "/graphql"
        return persona
    }()
}
