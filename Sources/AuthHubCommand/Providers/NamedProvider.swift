import AuthHubPrimitives
import OAuthProtocol

/// A provider by the word that a person types for it.
enum NamedProvider {
    case known(BuiltInProvider)
    case added(ProviderProfile)

    /// - Throws: ``Failure`` for a name that nobody knows.
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
                hint: "use a name from authhub provider list, such as github-app, or authhub provider add FILE")
        }
    }

    /// The profile, at an example of a place where one has to be said.
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
    /// A place to show the addresses at where there is no one to begin with.
    var examplePlace: String? {
        if case .url(nil) = place { "https://HOST.example" } else { nil }
    }

    /// The option that says the place; nil where there is only one.
    var placeOption: String? {
        switch place {
        case .fixed: nil
        case .url: "--web"
        case .tenant: "--tenant"
        }
    }
}
