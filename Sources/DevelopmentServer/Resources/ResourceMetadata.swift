import AuthHubPrimitives

extension ServerState {
    /// The metadata of the protected resource, that is, of the API (RFC 9728 §2).
    var resourceMetadata: JSONValue {
        [
            "resource": .string(issuer),
            "authorization_servers": [.string(issuer)],
            "jwks_uri": .string(issuer + "/jwks"),
            "scopes_supported": ["user", "repo"],
            "bearer_methods_supported": ["header"],
        ]
    }

    var resourceMetadataURL: String { issuer + "/.well-known/oauth-protected-resource" }
}
