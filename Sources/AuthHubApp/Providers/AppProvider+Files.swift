import AuthHubPrimitives
public import OAuthProtocol

extension AppProvider {
    /// Reads a settings file (``OAuthProtocol/ClientSettings``), and the client secret from the file that it names, beside it. The file's
    /// name without `.json` becomes the provider's ``id``.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError`` that names the file, and the field where one is meant.
    public init(settingsFile path: String) throws(SettingsError) {
        try self.init(SettingsFile(path: path))
    }

    /// Reads several settings files. Each provider gets an ``id`` of its own, and those with the same name are told apart by it.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError`` for the first that cannot be used.
    public static func all(settingsFiles paths: [String]) throws(SettingsError) -> [AppProvider] {
        try all(paths.map(SettingsFile.init))
    }

    /// Reads all files of a folder whose names end in `.json`, in the order of their names. None where there is no such folder.
    ///
    /// - Throws: ``OAuthProtocol/SettingsError`` for a folder that cannot be read, and the first file that cannot be used.
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
