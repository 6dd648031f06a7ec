import Platform
@testable import AuthHubCommandTests
import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import JOSE
import OAuthProtocol

extension Tool {
    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let webAppSecret = "development-secret-of-the-web-app"

    /// Registers a client that signs, and writes its key, as a private JSON Web Key, to the file `key.json`.
    ///
    /// - Returns: The options that name the client and its key, and the key.
    func registerMachine(grant: String = "client_credentials") async throws -> (words: [String], id: String, key: SoftwareSigningKey) {
        let key = try SoftwareSigningKey.generate()
        let keys = ClientKeys(signing: key)
        var metadata = ClientMetadata()
        metadata.grantTypes = [grant]
        metadata.responseTypes = []
        metadata.tokenEndpointAuthenticationMethod = .privateKeyJWT
        metadata.keySet = keys.publicKeys(at: .now)
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        let registration = try await AuthorizationServer(.issuer(issuer), dependencies: .network).register(metadata)
        let file = try folder.write(
            String(decoding: JSONValue.object(key.privateMembers.reveal()).serialized(), as: UTF8.self), to: "key.json")
        return (
            ["--client-id", registration.clientID, "--private-key-file", file, "--allow-insecure-loopback"], registration.clientID, key
        )
    }

    /// Writes a token of a platform to the file `assertion`.
    ///
    /// - Parameter audience: The `aud` of the token; nil for the development server.
    func writeAssertion(by id: String, _ key: SoftwareSigningKey, for audience: JSONValue? = nil) async throws -> String {
        var claims = JSONObject()
        claims["iss"] = .string(id)
        claims["sub"] = "workload"
        claims["aud"] = audience ?? .string(server.issuer)
        claims["exp"] = .number(JSONNumber(Int64(Date.now.timeIntervalSince1970) + 600))
        return try await folder.write(JSONWebSignature.sign(claims, with: key).reveal() + "\n", to: "assertion")
    }

    /// Signs a user in at the server as the identity provider, and writes the ID token to the file `id-token`.
    ///
    /// - Returns: The options for a sign-in with that ID token.
    func identityWords() async throws -> [String] {
        let secret = try folder.write(Self.webAppSecret, to: "web-app-secret")
        let words = ["--client-id", "web-app", "--client-secret-file", secret, "--allow-insecure-loopback"]
        _ = try await run(
            ["login", server.issuer, "--headless", "--user", Self.user, "--as", "provider", "--scope", "openid"] + words)
        let idToken = try await run("token", "--id", "--as", "provider").text
        return words + [
            "--issuer", server.issuer, "--flow", "id-jag", "--identity-provider", server.issuer, "--identity-client-id", "web-app",
            "--identity-client-secret-file",
            secret, "--id-token-file", try folder.write(idToken, to: "id-token"),
        ]
    }
}
