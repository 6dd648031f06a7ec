import AuthHubPrimitives
import OAuthProtocol

extension AccountSettings {
    private static let sizeLimit = 1024 * 1024

    /// Reads a settings file, and the secret from the file that it names, beside it.
    ///
    /// - Throws: ``Failure`` that names the file and the field.
    init(file path: String) throws(Failure) {
        let bytes = try InputFile.contents(of: path, limit: Self.sizeLimit)
        let settings: ClientSettings
        let added = try AddedProviders().all()
        var others: [String: ProviderProfile] = [:]
        for profile in added.profiles { others[profile.name] = profile }
        do {
            settings = try ClientSettings(bytes, file: path, others: others)
        } catch {
            // The file may name a provider that cannot be used.
            if error.field == "provider", let problem = added.problem { throw problem }
            throw .usage("\(error)", hint: "authhub help login tells what such a file holds")
        }
        let source: Provider =
            switch settings.source {
            case .named("github", let place): .gitHub(Self.addresses(place))
            case .named("github-app", let place): .gitHubApp(Self.addresses(place))
            case .named(let name, let place): .known(name, place: place)
            case .issuer(let issuer): .issuer(issuer)
            case .described: .described(settings.provider.name, settings.provider.settings)
            }
        self.init(provider: source, clientID: settings.clientID)
        clientSecret = try settings.clientSecretFile.map { name throws(Failure) in
            try InputFile.secret(in: name.hasPrefix("/") ? name : Self.folder(of: path) + name)
        }
        clientAuthentication = settings.clientAuthentication
        scope = settings.scope
        if let redirectURI = settings.redirectURI { self.redirectURI = redirectURI }
        allowsInsecureLoopback = settings.allowsInsecureLoopback
    }

    private static func addresses(_ place: String?) -> GitHubAddresses {
        place.map { GitHubAddresses(web: $0, api: $0 + "/api/v3") } ?? GitHubAddresses()
    }

    /// With its slash at the end; empty for the folder that the program is in.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
