import AuthHubPrimitives
public import OAuthProtocol

extension AppProvider {
    /// Reads a settings file (``OAuthProtocol/ClientSettings``). If the settings name a file with the client secret, reads that file as
    /// well. The name of the settings file without `.json` becomes the provider's ``id``.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError``, which names the file, and the field if a field is wrong.
    public init(settingsFile path: String) throws(SettingsError) {
        try self.init(SettingsFile(path: path))
    }

    /// Reads several settings files. Each provider gets a unique ``id``, even if several providers have the same name.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError`` for the first file that cannot be used.
    public static func all(settingsFiles paths: [String]) throws(SettingsError) -> [AppProvider] {
        try all(paths.map(SettingsFile.init))
    }

    /// Reads all files in a folder whose names end in `.json`, in the order of their names. Returns an empty array if the folder does not
    /// exist.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError`` if the folder cannot be read, or for the first file that cannot be used.
    public static func all(inFolder folder: String) throws(SettingsError) -> [AppProvider] {
        try all(SettingsFile.all(inFolder: folder))
    }

    private init(_ file: SettingsFile) throws(SettingsError) {
        let settings = try ClientSettings(file.contents(), file: file.path)
        let secret = try settings.clientSecretFile.map { name throws(SettingsError) in try file.secret(in: name) }
        try self.init(settings, secret: secret, file: file.path)
        id = file.baseName
    }

    private static func all(_ files: [SettingsFile]) throws(SettingsError) -> [AppProvider] {
        var providers: [AppProvider] = []
        for file in files {
            var provider = try AppProvider(file)
            var number = 2
            while providers.contains(where: { $0.id == provider.id }) {
                provider.id = "\(file.baseName)-\(number)"
                number += 1
            }
            providers.append(provider)
        }
        let names = providers.map(\.name)
        for index in providers.indices where names.filter({ $0 == names[index] }).count > 1 {
            providers[index].name += " (\(displayable(providers[index].id, limit: 60)))"
        }
        return providers
    }
}
