import AuthHubPrimitives
import OAuthProtocol

/// A provider, identified by the word that the user types.
enum NamedProvider {
    case known(BuiltInProvider)
    case added(ProviderProfile)

    /// Finds a provider.
    ///
    /// - Throws: ``Failure`` if the name is unknown.
    init(_ name: String) throws(Failure) {
        let providers = try AddedProviders()
        if let added = try providers.profile(named: name) {
            self = .added(added)
        } else if let known = ProviderProfile.builtIn(name) {
            self = .known(known)
        } else if let warning = providers.warning(about: name) {
            throw .usage(warning, hint: "authhub provider show \(name.lowercased()) shows the built-in one")
        } else {
            throw .usage(
                "“\(displayable(name, limit: 60))” is neither a known provider nor an issuer's https URL",
                hint: Self.issuer(at: name).map { "if it is an issuer, type the whole URL: \($0)" }
                    ?? SimilarNames.question(name, among: Self.names(providers)).map { "\($0) authhub provider list shows all names" }
                    ?? "use a name from authhub provider list, such as github-app, or authhub provider add FILE")
        }
    }

    /// The names of all providers.
    private static func names(_ providers: AddedProviders) -> [String] {
        let added = (try? providers.all())?.profiles ?? []
        return ProviderProfile.builtIn.map(\.name) + added.map(\.name)
    }

    /// The issuer's URL and the options that the user probably means, if the name is a host; nil if it is not.
    private static func issuer(at name: String) -> String? {
        guard let origin = Origin(url: "https://\(name)"), origin.isLoopback || origin.host.contains(".") else { return nil }
        return origin.isLoopback ? "\("http://\(name)".shellWord) --allow-insecure-loopback" : "https://\(name)".shellWord
    }

    /// Returns the profile, with an example location if the provider requires one.
    func example() throws(Failure) -> ProviderProfile {
        switch self {
        case .added(let profile): return profile
        case .known(let known):
            do {
                return try known.profile(at: known.examplePlace)
            } catch {
                throw Failure("misconfigured", .failed, error.explanation, hint: "authhub provider list")
            }
        }
    }

    var place: BuiltInProvider.Place {
        switch self {
        case .known(let known): known.place
        case .added: .fixed
        }
    }
}

extension BuiltInProvider {
    /// An example location for showing the provider's URLs if there is no default.
    var examplePlace: String? {
        if case .url(nil) = place { "https://HOST.example" } else { nil }
    }

    /// The option for the location; nil if there is only one.
    var placeOption: String? {
        switch place {
        case .fixed: nil
        case .url: "--web"
        case .tenant: "--tenant"
        }
    }
}
