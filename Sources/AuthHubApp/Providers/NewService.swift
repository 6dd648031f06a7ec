public import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// A service that the user can set up in the app: what to register there, and the settings that result.
public struct NewService: Sendable, Identifiable {
    /// The provider's name in settings files, and the name of the new file.
    public let id: String
    /// The name to show to the user.
    public let name: String
    /// The page where a client is registered; nil if it is unknown.
    public let registrationPage: String?
    /// The redirect URI to register.
    public let redirectURI: String
    /// Whether a client has a secret.
    public let hasSecret: Bool

    /// The services that can be set up with a client ID and a secret alone, in the order to offer them.
    public static let all = [
        NewService("github-app", called: "GitHub App"), NewService("github", called: "GitHub OAuth app"),
        NewService("anilist", called: "AniList", redirectURI: "https://anilist.co/api/v2/oauth/pin"),
        NewService("google", called: "Google"),
    ].compactMap(\.self)

    private static let loopback = "http://127.0.0.1/callback"

    private init?(_ id: String, called name: String, redirectURI: String = loopback) {
        guard let registration = try? ProviderProfile.builtIn(id)?.profile().quirks.registration else { return nil }
        self.id = id
        self.name = name
        self.redirectURI = redirectURI
        registrationPage = registration.page
        hasSecret = registration.secret != .none
    }
}

extension NewService {
    /// Writes a settings file, and a file with the secret next to it. Only the user can read them.
    ///
    /// - Parameters:
    ///   - clientID: The client ID, as the provider shows it.
    ///   - secret: The client secret; nil if the client has none.
    ///   - folder: The folder of the settings, which is created if it does not exist.
    /// - Throws: ``AppProblem`` if a file exists already, or cannot be written.
    public func save(clientID: String, secret: Secret<String>?, inFolder folder: String) throws(AppProblem) {
        let secretFile = "\(id).secret"
        var settings = JSONObject()
        settings["provider"] = .string(id)
        settings["client_id"] = .string(clientID)
        if secret != nil { settings["client_secret_file"] = .string(secretFile) }
        // The default of settings files is the loopback URI.
        if redirectURI != Self.loopback { settings["redirect_uri"] = .string(redirectURI) }
        let contents = JSONValue.object(settings).serialized(indented: true)
        do throws(CredentialStoreError) {
            try FileSystem.makeFolders(folder)
            let secretPath = "\(folder)/\(secretFile)"
            if let secret { try Self.make(secretPath, holding: Array(secret.reveal().utf8)) }
            do throws(CredentialStoreError) {
                try Self.make("\(folder)/\(id).json", holding: contents)
            } catch {
                // Otherwise, the next attempt would find a secret that it did not write.
                if secret != nil { try? FileSystem.remove(secretPath) }
                throw error
            }
        } catch {
            throw AppProblem("The settings cannot be saved.", advice: sentence(error.explanation), remedy: .tryAgain)
        }
    }

    private static func make(_ path: String, holding bytes: [UInt8]) throws(CredentialStoreError) {
        guard try FileSystem.makeFile(path, holding: bytes + [0x0A]) else {
            throw CredentialStoreError(.refused, "\(path) exists already; remove it")
        }
    }
}
