import AuthHub
import OAuthProtocol

extension AccountSettings {
    /// The provider's name and URL.
    var displayName: String {
        if let resource { return "\(server), for \(resource)" }
        let known = name.map { provider.isIssuer ? $0 : "\($0) (\(provider.name))" }
        guard let location = provider.location else { return known ?? provider.name }
        if known == nil, provider.isIssuer { return location }
        return "\(known ?? provider.name) at \(location)"
    }

    /// The URL of GitHub's API; nil for other providers.
    var gitHubAPI: String? {
        apiEndpoint(ofAny: [.gitHub, .gitHubApp, .gitHubEnterprise(web: "")]).map {
            $0.hasSuffix("/user") ? String($0.dropLast("/user".count)) : $0
        }
    }

    /// The URL of AniList's API; nil for other providers.
    var aniListAPI: String? { apiEndpoint(ofAny: [.aniList, .aniListWithSecret]) }

    private func apiEndpoint(ofAny profiles: [ProviderProfile]) -> String? {
        guard let known = provider.known, profiles.contains(where: { $0.name == known.name }) else { return nil }
        return try? profile().accountEndpoint
    }
}
