import AuthHubPrimitives
import OAuthProtocol

extension AccountSettings {
    private static let sizeLimit = 1024 * 1024

    /// Reads a settings file, and the secret from the file that it names, relative to its folder.
    ///
    /// - Throws: ``Failure``, naming the file and the field.
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
            throw .usage("\(error)", hint: "authhub help login lists what such a file holds")
        }
        let source: Provider =
            switch settings.source {
            case .named(let name, let place, let api): .known(name, place: place, api: api)
            case .issuer(let issuer): .issuer(issuer)
            case .described: .described(settings.provider.name, settings.provider.settings)
            }
        self.init(provider: source, clientID: settings.clientID)
        settingsFile = InputFile.absolute(path)
        name = settings.name
        clientSecret = try settings.clientSecretFile.map { name throws(Failure) in
            do throws(Failure) {
                return try InputFile.secret(in: name.hasPrefix("/") ? name : Self.folder(of: path) + name)
            } catch {
                throw Failure(
                    error.code, error.exit, "\(path): “client_secret_file” does not lead to a secret: \(error.message)",
                    hint: "write the secret alone into a file, and name its path, relative to the settings file")
            }
        }
        clientAuthentication = settings.clientAuthentication
        scope = settings.scope
        if let redirectURI = settings.redirectURI { self.redirectURI = redirectURI }
        allowsInsecureLoopback = settings.allowsInsecureLoopback
    }

    /// Returns the folder of a file, with its trailing slash.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }
}
