import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in that waits for its callback. Its `state` is the same in every run, because seeds and found inputs contain it.
struct SignIn {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let state = "4uGt0dJmWq8sXe2LhVbNrC6yPkZa1fTo"
    static let client = OAuthClient(id: "fuzzed", secret: Secret("s3cret"))
    static let issuer = "https://as.example"

    let server: ProviderProfile
    let pending: PendingAuthorization
    let isIssuerPromised: Bool
    var issuer: String? { server.issuer }
    /// A callback that is accepted.
    var good: String {
        let separator = pending.redirectURI.contains("?") ? "&" : "?"
        return pending.redirectURI + "\(separator)code=c&state=\(Self.state)" + (isIssuerPromised ? "&iss=https%3A%2F%2Fas.example" : "")
    }

    /// The sign-ins to check. A failure here ends the program, because no input could be checked.
    static let all: [SignIn] = {
        do {
            return [
                try SignIn(redirectURI: "http://127.0.0.1:49152/callback", server: server(issuer: issuer)),
                try SignIn(redirectURI: "http://127.0.0.1:49152/callback", server: server(issuer: issuer).applying(metadata())),
                try SignIn(redirectURI: "https://app.example/cb?tenant=a", server: server(issuer: nil)),
                try SignIn(redirectURI: "com.example.app:/cb", server: server(issuer: nil)),
            ]
        } catch {
            Fuzz.stop("the sign-ins cannot be created: \(error)")
        }
    }()

    private init(redirectURI: String, server: ProviderProfile) throws {
        let request = try AuthorizationRequest(
            to: server, client: Self.client, redirectURI: redirectURI, scope: ["read"], at: Self.now)
        // Serialized, so that the random state can be replaced.
        var text = try JSONValue(strict: request.pending.serialized().reveal()).object ?? JSONObject()
        text["state"] = .string(Self.state)
        pending = try PendingAuthorization(serialized: Secret(JSONValue.object(text).serialized()))
        self.server = server
        isIssuerPromised = server.metadata?.promisesIssuerInResponse ?? false
    }

    static func server(issuer: String?) -> ProviderProfile {
        let endpoints = Endpoints(authorization: "https://as.example/authorize", token: "https://as.example/token")
        return ProviderProfile(name: "plain", displayName: "Plain", issuer: issuer, endpoints: endpoints)
    }

    private static func metadata() throws -> ServerMetadata {
        let document: JSONValue = [
            "issuer": "https://as.example", "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token", "authorization_response_iss_parameter_supported": true,
        ]
        return try ServerMetadata(HTTPResponse(status: .ok), body: Secret(document.serialized()), of: Issuer(issuer))
    }
}
