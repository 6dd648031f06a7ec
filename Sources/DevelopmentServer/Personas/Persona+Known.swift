extension DevelopmentAuthorizationServer.Persona {
    /// All personas, by the names of the providers whose habits they play.
    public static let known: [Self] = [
        .openID, .gitHub, .gitHubEnterprise, .aniList, .atlassian, .bitbucket, .discord, .dropbox, .facebook, .fitbit, .gitLab, .google,
        .linkedIn,
        .mastodon, .microsoft, .notion, .reddit, .slack, .slackBot, .spotify, .strava, .tikTok, .twitch, .x, .zoom,
    ]

    /// The persona of this name.
    public static func known(_ name: String) -> Self? {
        known.first { $0.name == name }
    }

    /// One that has the manners that most providers share: nothing of OpenID, no issuer in answers.
    static func provider(
        _ name: String, authorization: String, token: String, account: String?, scopes: [String], _ habits: (inout Self) -> Void
    ) -> Self {
        var persona = Self(
            name: name, addresses: Addresses(authorization: authorization, token: token, account: account), scopes: scopes)
        persona.authorization.namesIssuer = false
        persona.revocation = .none
        habits(&persona)
        return persona
    }
}
