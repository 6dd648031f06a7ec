import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import OAuthProtocol
import Platform
import WebAuthentication

@testable import AuthHubApp

/// An app over the real network with a real server; only the user is simulated.
@MainActor
struct Story {
    let server: DevelopmentAuthorizationServer
    let store: any CredentialStore
    let provider: AppProvider

    /// - Parameter settings: Members of the settings file in addition to the server's origin.
    init(_ server: DevelopmentAuthorizationServer, store: any CredentialStore, _ settings: String) throws {
        self.server = server
        self.store = store
        let client = server.clients.first { $0.secret != nil }?.secret
        provider = try AppProvider(
            ClientSettings(
                Array(#"{"place": "\#(server.issuer)", "allow_insecure_loopback_for_development": true, \#(settings)}"#.utf8), file: "story"
            ),
            secret: client, file: "story")
    }

    static func browser(as login: String, refuses: Bool = false) -> any WebAuthenticator {
        let filling = FormFilling(user: login, password: Secret("\(login)-password"), refuses: refuses)
        return BrowserAuthenticator(opener: HeadlessBrowser(filling: filling, transport: NetworkTransport.shared))
    }

    func app(refuses: Bool = false) -> AppModel {
        let browsers = Browsers(shared: Self.browser(as: "octocat", refuses: refuses), ephemeral: Self.browser(as: "mona")) { prompt in
            PastingBrowser(prompt: prompt)
        }
        return AppModel(provider, store: store, browsers: browsers, dependencies: .network)
    }

    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }
}
