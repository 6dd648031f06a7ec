import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// What has to be known of an account besides its tokens, so that later commands need only its label.
struct AccountSettings: Sendable, Equatable {
    /// Where people sign in, and by whose habits.
    enum Provider: Sendable, Equatable {
        case gitHub(GitHubAddresses)
        case gitHubApp(GitHubAddresses)
        case aniList(AniListAddresses)
        case issuer(String)
    }

    struct AniListAddresses: Sendable, Equatable {
        var web = "https://anilist.co"
        var graphQL = "https://graphql.anilist.co"
    }

    struct GitHubAddresses: Sendable, Equatable {
        var web = "https://github.com"
        var api = "https://api.github.com"
    }

    var provider: Provider
    var clientID: String
    var clientSecret: Secret<String>?
    var clientAuthentication: ClientAuthenticationMethod?
    var scope: Scope?
    var redirectURI = RedirectURI.loopback
    var overrides = EndpointOverrides()
    var allowsInsecureLoopback = false
    /// Whether the access is the client's own, and no person's (RFC 6749 §4.4).
    var usesClientCredentials = false
}

extension AccountSettings {
    /// - Throws: ``Failure`` for an issuer that cannot be one.
    func profile() throws(Failure) -> ProviderProfile {
        let transport: TransportPolicy = allowsInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly
        let profile: ProviderProfile
        switch provider {
        case .gitHub(let addresses):
            profile = .gitHub(web: addresses.web, api: addresses.api, transport: transport)
        case .gitHubApp(let addresses):
            profile = .gitHubApp(web: addresses.web, api: addresses.api, transport: transport)
        case .aniList(let addresses) where clientSecret == nil:
            profile = .aniList(web: addresses.web, graphQL: addresses.graphQL, transport: transport)
        case .aniList(let addresses):
            profile = .aniListWithSecret(web: addresses.web, graphQL: addresses.graphQL, transport: transport)
        case .issuer(let text):
            do {
                profile = .issuer(try Issuer(text, transport: transport))
            } catch {
                let isLoopback = Origin(url: text)?.isLoopback ?? false
                throw .usage(
                    error.explanation,
                    hint: isLoopback && !allowsInsecureLoopback
                        ? "add --allow-insecure-loopback, for development on this machine"
                        : "authhub login https://ISSUER --client-id ID")
            }
        }
        return profile.overriding(overrides)
    }

    var client: OAuthClient {
        OAuthClient(
            id: clientID, secret: clientSecret, redirectURI: redirectURI, authentication: clientAuthentication)
    }

    /// Where GitHub's API is; nil for other providers.
    var gitHubAPI: String? {
        switch provider {
        case .gitHub(let addresses), .gitHubApp(let addresses): addresses.api
        case .aniList, .issuer: nil
        }
    }

    /// Where AniList's API is; nil for other providers.
    var aniListAPI: String? {
        if case .aniList(let addresses) = provider { addresses.graphQL } else { nil }
    }

    /// The word after `login` that leads to this provider.
    var providerArgument: String {
        switch provider {
        case .gitHub: "github"
        case .gitHubApp: "github-app"
        case .aniList: "anilist"
        case .issuer(let text): text
        }
    }

    /// The account that the tokens are stored under.
    func account(label: String) throws(Failure) -> CredentialAccount {
        CredentialAccount(server: try profile().identity, clientID: clientID, label: label)
    }
}
