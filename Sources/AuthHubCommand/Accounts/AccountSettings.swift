import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The settings of an account besides its tokens, so that later commands only need its label.
struct AccountSettings: Sendable, Equatable {
    /// The provider of the sign-in, with its quirks.
    enum Provider: Sendable, Equatable {
        case issuer(String)
        /// A built-in provider, with its location and its own API if it has them.
        case known(String, place: String? = nil, api: String? = nil)
        /// A provider that the user described: its name, and the description.
        case described(String, JSONValue)
    }

    var provider: Provider
    /// The user's name for the provider; if nil, its own name.
    var name: String?
    var clientID: String
    var clientSecret: Secret<String>?
    var clientAuthentication: ClientAuthenticationMethod?
    var scope: Scope?
    var redirectURI = RedirectURI.loopback
    var overrides = EndpointOverrides()
    var allowsInsecureLoopback = false
    /// Whether the access is granted to the client itself, without a user (RFC 6749 §4.4).
    var usesClientCredentials = false
    /// The absolute path of the settings file from which the client and the provider were read; nil if there was none, or another client
    /// was named since.
    var settingsFile: String?
}

extension AccountSettings {
    /// Returns the profile of the provider.
    ///
    /// - Throws: ``Failure`` if the issuer is invalid.
    func profile() throws(Failure) -> ProviderProfile {
        var profile: ProviderProfile
        switch provider {
        case .known(let name, let place, let api):
            guard let known = ProviderProfile.known(name, hasSecret: clientSecret != nil) else {
                throw .usage("the provider “\(name)” is not known any more", hint: "authhub provider list")
            }
            do {
                profile = try known.profile(at: place, api: api, transport: transport)
            } catch {
                throw .usage("the place of \(name) cannot be used: \(error.explanation)", hint: "authhub provider show \(name)")
            }
        case .described(let name, let description):
            do {
                profile = try ProviderProfile(settings: description.serialized(), file: "the provider \(name)", transport: transport)
            } catch {
                throw .usage(
                    "\(error)",
                    hint: allowsInsecureLoopback ? "authhub provider add FILE" : "--allow-insecure-loopback takes http on this machine")
            }
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
        if let name { profile.displayName = name }
        return profile.overriding(overrides)
    }

    var transport: TransportPolicy { allowsInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }

    var client: OAuthClient {
        OAuthClient(
            id: clientID, secret: clientSecret, redirectURI: redirectURI, authentication: clientAuthentication)
    }

    /// The URL of GitHub's API; nil for other providers.
    var gitHubAPI: String? {
        switch provider {
        case .known("github", _, _), .known("github-app", _, _), .known("github-enterprise", _, _):
            let endpoint = (try? profile())?.accountEndpoint
            return endpoint.map { $0.hasSuffix("/user") ? String($0.dropLast("/user".count)) : $0 }
        case .issuer, .known, .described: return nil
        }
    }

    /// The URL of AniList's API; nil for other providers.
    var aniListAPI: String? {
        switch provider {
        case .known("anilist", _, _), .known("anilist-with-secret", _, _): (try? profile())?.accountEndpoint
        case .issuer, .known, .described: nil
        }
    }

    /// The argument of `login` for this provider.
    var providerArgument: String {
        switch provider {
        case .issuer(let text): text
        case .known(let name, _, _), .described(let name, _): name
        }
    }

    /// Whether the account's provider was added under a built-in name, which earlier versions accepted. The account stays as it is, but the
    /// name now means the built-in provider.
    var isShadowedByBuiltIn: Bool {
        if case .described(let name, _) = provider { ProviderName.isBuiltIn(name) } else { false }
    }

    /// Returns the account under which the tokens are stored.
    func account(label: String) throws(Failure) -> CredentialAccount {
        CredentialAccount(server: try profile().identity, clientID: clientID, label: label)
    }
}
