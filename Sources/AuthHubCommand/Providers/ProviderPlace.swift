import ArgumentParser
import AuthHub
import OAuthProtocol

/// The server or the tenant of a provider that has several.
struct ProviderPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The URL of your own server, such as GitHub Enterprise, GitLab or Mastodon: https://HOST. With --allow-insecure-loopback, the URL of a development server that simulates the provider.",
            valueName: "url"))
    var web: String?

    @Option(help: ArgumentHelp("The Microsoft tenant whose accounts may sign in: a tenant ID, a domain, or common.", valueName: "name"))
    var tenant: String?
}

extension ProviderPlace {
    /// Returns the provider that the user means by a word.
    ///
    /// - Throws: ``Failure`` if the name is unknown.
    static func provider(_ word: String) throws(Failure) -> ProviderReference {
        if word.contains("://") { return .issuer(word) }
        switch try NamedProvider(word) {
        case .known(let known): return .builtIn(known.name)
        case .added(let profile): return .described(profile)
        }
    }

    /// Returns the provider at the typed place, or else the known one.
    ///
    /// - Parameter api: The typed URL of the API.
    func placed(
        _ provider: ProviderReference, api typedAPI: String? = nil, _ transport: TransportPolicy
    ) throws(Failure) -> ProviderReference {
        let typed = [("--web", web), ("--tenant", tenant), ("--api", typedAPI)].filter { $0.1 != nil }.map(\.0)
        if provider.isIssuer || provider.isDescribed {
            guard let option = typed.first else { return provider }
            let reason = provider.isIssuer ? BuiltInProvider.issuerHasNoPlace : BuiltInProvider.describedHasNoPlace
            throw .usage("\(option) cannot be used: \(reason)", hint: "leave out \(option)")
        }
        let name = provider.name
        guard web == nil || tenant == nil else {
            throw .usage("--web and --tenant cannot be used together", hint: "authhub provider show \(name)")
        }
        let place = web ?? tenant ?? provider.place
        // The stored API belongs to the previous location.
        let api = typedAPI ?? (web == nil ? provider.api : nil)
        guard let known = provider.known else { return provider }
        if case .tenant = known.place, let web, !known.isPlayed(at: web) {
            throw .usage("--web cannot be used, because \(name) has tenants", hint: "leave out --web and use --tenant NAME")
        }
        do {
            _ = try known.checkedProfile(at: place, api: api, transport: transport)
        } catch {
            let option = error.part == .api ? "--api" : web != nil ? "--web" : tenant != nil ? "--tenant" : known.placeOption ?? "--web"
            let hint =
                error.isForDevelopment
                ? "add --allow-insecure-loopback, for development on this machine" : "authhub provider show \(name)"
            throw .usage("\(option) \(error.problem)", hint: hint)
        }
        return .builtIn(name, place: place, api: api)
    }
}
