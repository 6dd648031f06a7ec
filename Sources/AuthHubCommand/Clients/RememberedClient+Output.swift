import AuthHubPrimitives
import OAuthProtocol

extension RememberedClient {
    /// Whether the provider is an issuer's URL.
    var isOfIssuer: Bool { provider.contains("://") }

    /// The provider and its place, as arguments.
    var words: String {
        let place = place.map { ($0.contains("://") ? " --web " : " --tenant ") + $0.shellWord } ?? ""
        return provider.shellWord + place
    }

    /// The client without its secret.
    var json: JSONValue {
        [
            "provider": .string(provider), "place": place.map(JSONValue.string) ?? .null, "server": .string(server),
            "client_id": .string(client.id), "has_secret": .bool(client.secret != nil),
            "redirect_uri": .string(client.redirectURI.description), "registered": false,
        ]
    }
}
