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

    /// The metadata of the resource `/mcp`.
    var modelContextMetadata: JSONValue {
        [
            "resource": .string(issuer + ModelContextEndpoint.path),
            "resource_name": "Example MCP server",
            "authorization_servers": [.string(issuer)],
            "scopes_supported": .array(Persona.modelContextScopes.map { .string($0) }),
            "bearer_methods_supported": ["header"],
        ]
    }

    static let modelContextMetadataPath = "/.well-known/oauth-protected-resource" + ModelContextEndpoint.path

    /// The same document at a path that is not well known.
    static let ownResourceMetadataPath = "/custom/resource-metadata"

    var resourceMetadataURL: String { issuer + "/.well-known/oauth-protected-resource" }
}
