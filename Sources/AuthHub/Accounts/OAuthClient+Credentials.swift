package import AuthHubPrimitives
package import OAuthProtocol

extension OAuthClient {
    /// The ID, the secret and the keys as members of a stored record. They may be secrets.
    package var credentials: JSONObject {
        var members = JSONObject()
        members["client_id"] = .string(id)
        members["client_secret"] = secret.map { .string($0.reveal()) }
        members["client_authentication"] = (authentication?.rawValue).map(JSONValue.string)
        members["client_keys"] = keys.flatMap { try? JSONValue(strict: $0.serialized().reveal()) }
        return members
    }

    /// Creates a client from the members of a stored record; nil if they are damaged.
    package init?(credentials members: JSONObject) {
        guard let id = members["client_id"]?.string else { return nil }
        self.init(
            id: id, secret: (members["client_secret"]?.string).map(Secret.init),
            authentication: (members["client_authentication"]?.string).map(ClientAuthenticationMethod.init(rawValue:)))
        guard let stored = members["client_keys"] else { return }
        guard let keys = try? ClientKeys(serialized: Secret(stored.serialized())) else { return nil }
        self.keys = keys
    }
}
