@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import AuthHubTesting
import DevelopmentServer
import OAuthProtocol

extension Tool {
    /// Runs a body with a server that imitates a built-in provider. If the provider accepts only the registered port, the server's
    /// clients are registered with a port.
    static func using(
        provider: String, accessTokenLifetime: Duration? = nil, _ body: (Tool) async throws -> Void
    ) async throws {
        struct NoPersona: Error {}
        guard let persona = Persona.known(provider) else { throw NoPersona() }
        var configuration = DevelopmentServerConfiguration(persona: persona)
        if let accessTokenLifetime { configuration.lifetimes.accessToken = accessTokenLifetime }
        if persona.pinPath != nil || ProviderProfile.builtIn(provider)?.needsLoopbackPort ?? false {
            // Not a port that the system assigns: another test could get it between the two sign-ins of a test.
            let port = try quietPort()
            configuration.clients = DevelopmentClient.examples(for: persona).map { client in
                var client = client
                let usual = ":\(DevelopmentClient.aniListPort)/"
                client.redirectURIs = client.redirectURIs.map {
                    $0 == "http://127.0.0.1/callback" ? "http://127.0.0.1:\(port)/callback" : $0.replacing(usual, with: ":\(port)/")
                }
                return client
            }
        }
        try await using(configuration, body)
    }

    /// Returns the client at the imitating server, with a secret if the provider issues one.
    func client(for provider: String) throws -> DevelopmentClient {
        struct NoClient: Error {}
        let hasSecret = try profile(of: provider).quirks.registration.secret != .none
        let kind: Persona.ClientKind = provider == "github-app" ? .gitHubApp : .oauthApp
        guard let client = server.clients.first(where: { ($0.secret != nil) == hasSecret && $0.kind == kind }) else { throw NoClient() }
        return client
    }

    /// Writes a settings file for a provider that the server imitates, as the guide describes.
    func settingsFile(for provider: String, more members: String = "") throws -> String {
        let client = try client(for: provider)
        var text = #"{"provider": "\#(provider)", "place": "\#(server.issuer)", "client_id": "\#(client.id)""#
        if let secret = client.secret {
            _ = try folder.write(secret.reveal() + "\n", to: "client-secret")
            text += #", "client_secret_file": "client-secret""#
        }
        if server.persona.pinPath != nil || ProviderProfile.builtIn(provider)?.needsLoopbackPort ?? false,
            let uri = client.redirectURIs.first
        {
            text += #", "redirect_uri": "\#(uri)""#
        }
        text += #", "allow_insecure_loopback_for_development": true\#(members)}"#
        return try folder.write(text, to: "settings.json")
    }

    private func profile(of provider: String) throws -> ProviderProfile {
        struct NoProvider: Error {}
        guard let known = ProviderProfile.builtIn(provider) else { throw NoProvider() }
        return try known.profile(at: server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
    }
}

extension BuiltInProvider {
    fileprivate var needsLoopbackPort: Bool { (try? profile(at: examplePlace))?.needsLoopbackPort ?? false }
}
