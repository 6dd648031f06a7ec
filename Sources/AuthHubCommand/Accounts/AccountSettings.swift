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
        /// One that is known by name, at a place where it has such.
        case known(String, place: String?)
        /// One that a person described: by its name, and what was described.
        case described(String, JSONValue)
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
        case .known(let name, let place):
            guard let known = ProviderProfile.known(name) else {
                throw .usage("the provider “\(name)” is not known any more", hint: "authhub provider list")
            }
            do {
                profile = try known.profile(at: place, transport: transport)
            } catch {
                throw .usage(error.explanation, hint: "authhub provider show \(name)")
            }
        case .described(let name, let description):
            do {
                profile = try ProviderProfile(settings: description.serialized(), file: "the provider \(name)", transport: transport)
            } catch {
                throw .usage(
                    "\(error)",
                    hint: allowsInsecureLoopback ? "authhub provider add FILE" : "--allow-insecure-loopback takes http on this machine")
            }
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
        case .known("github-enterprise", let place?): place + "/api/v3"
        case .aniList, .issuer, .known, .described: nil
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
        case .known(let name, _), .described(let name, _): name
        }
    }

    /// Whether the account's provider was added under a built-in name, which earlier versions accepted. The account stays as it is, but the
    /// name now means the built-in provider.
    var isShadowedByBuiltIn: Bool {
        if case .described(let name, _) = provider { ProviderName.isBuiltIn(name) } else { false }
    }

    /// The account that the tokens are stored under.
    func account(label: String) throws(Failure) -> CredentialAccount {
        CredentialAccount(server: try profile().identity, clientID: clientID, label: label)
    }
}
