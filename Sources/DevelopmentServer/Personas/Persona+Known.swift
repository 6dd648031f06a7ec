extension Persona {
    /// All personas. Each has the name of a provider whose quirks it imitates.
    public static let known: [Self] = [
        .openID, .modelContext, .gitHub, .gitHubEnterprise, .aniList, .apple, .atlassian, .azureDevOps, .bitbucket, .discord, .dropbox,
        .facebook, .fitbit,
        .forgejo, .gitLab, .gitea, .google, .line, .linkedIn, .mastodon, .microsoft, .notion, .reddit, .slack, .slackBot, .slackOpenID,
        .spotify,
        .strava, .tikTok, .twitch, .x, .zoom,
    ]

    /// Returns the persona with this name, or the one that imitates the provider with this name; nil if there is none. One persona imitates
    /// both kinds of GitHub client, and another one imitates both of AniList's grants.
    public static func known(_ name: String) -> Self? {
        let persona = ["github-app": gitHub.name, "anilist-with-secret": aniList.name][name] ?? name
        return known.first { $0.name == persona }
    }

    /// Creates a persona with the behavior of most providers: no OpenID, no issuer in responses.
    static func provider(
        _ name: String, authorization: String, token: String, account: String?, scopes: [String], _ quirks: (inout Self) -> Void
    ) -> Self {
        var persona = Self(
            name: name, addresses: Addresses(authorization: authorization, token: token, account: account), scopes: scopes)
        persona.authorization.namesIssuer = false
        persona.revocation = .none
        quirks(&persona)
        return persona
    }
}
