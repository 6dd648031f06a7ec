import AuthHub
import AuthHubPrimitives
import OAuthProtocol

extension AccountSettings {
    private static let sizeLimit = 1024 * 1024

    /// Reads a settings file. If the settings name a file with the client secret, relative to their own folder, reads that file as well.
    ///
    /// - Throws: ``Failure`` that names the file and the field.
    init(file path: String) throws(Failure) {
        let written = try Self.written(in: path)
        let secret = try written.clientSecretFile.map { name throws(Failure) in
            do throws(Failure) {
                return try InputFile.secret(in: name.hasPrefix("/") ? name : Self.folder(of: path) + name)
            } catch {
                throw Failure(
                    error.code, error.exit, "\(path): “client_secret_file” does not name a usable secret: \(error.message)",
                    hint: error.hint)
            }
        }
        self.init(written, secret: secret)
        settingsFile = InputFile.absolute(path)
    }

    /// Reads a settings file, but not the file with the client secret.
    ///
    /// - Throws: ``Failure`` that names the file and the field.
    static func written(in path: String) throws(Failure) -> ClientSettings {
        let bytes = try InputFile.trustedContents(of: path, limit: sizeLimit)
        let added = try AddedProviders().all()
        var others: [String: ProviderProfile] = [:]
        for profile in added.profiles { others[profile.name] = profile }
        do {
            return try ClientSettings(bytes, file: path, others: others)
        } catch {
            // The file may name a provider that cannot be used.
            if error.field == "provider", let problem = added.problem { throw problem }
            throw .usage("\(error)", hint: "authhub help login lists the members of such a file")
        }
    }

    /// Returns the folder of a file, with its trailing slash.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }
}
