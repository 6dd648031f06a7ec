import AuthHubPrimitives

/// Faults of a protected resource, and of the server that it names.
extension FaultPersona {
    /// The faults in a sign-in that begins at the resource.
    package static let resources: [FaultPersona] = [
        FaultPersona("MC01-post-only", "a resource that responds only to POST", at: .resource, .status(405), isHarmless: true),
        FaultPersona(
            "MC02-elsewhere", "metadata only at a URL that the challenge names", at: .resource,
            challenge("resource_metadata=\"{issuer}\(ServerState.ownResourceMetadataPath)\", scope=\"mcp\""), isHarmless: true
        ).and(at: .resourceMetadata, fault: .status(404)),
        FaultPersona(
            "MC02-no-url", "a challenge without the URL of the metadata", at: .resource, challenge("scope=\"mcp\""),
            isHarmless: true),
        FaultPersona(
            "MC02-root", "metadata of the whole origin, at its root", at: .resource, challenge("realm=\"mcp\""), isHarmless: true
        ).and(at: .resourceMetadata, fault: .status(404)),
        FaultPersona(
            "MC02-private", "a challenge that names a URL in a private network", at: .resource,
            challenge("resource_metadata=\"https://10.0.0.1/metadata\"")),
        described("MC03-other", "metadata of another resource", "resource", "https://other.example/mcp"),
        described("MC03-neighbor", "metadata of another path of the origin", "resource", "{issuer}/user"),
        described("MC03-missing", "metadata without the resource", "resource", nil),
        described("MC04-none", "metadata that names no server", "authorization_servers", []),
        described("MC04-private", "metadata that names a server in a private network", "authorization_servers", ["https://192.168.1.1"]),
        FaultPersona(
            "MC04-other-issuer", "metadata of another issuer", at: .metadata, .altered([.member("issuer", "https://other.example")])),
        FaultPersona(
            "MC04-private-page", "a sign-in page in a private network", at: .metadata,
            .altered([.member("authorization_endpoint", "https://10.0.0.1/authorize")])),
        FaultPersona(
            "MC04-stranger", "a server that lists its resources, but not this one", at: .metadata,
            .altered([.member("protected_resources", ["https://other.example/mcp"])])),
        FaultPersona(
            "MC05-no-list", "a server that does not mention PKCE", at: .metadata,
            .altered([.member("code_challenge_methods_supported", nil)])),
        FaultPersona(
            "MC05-plain", "a server that supports PKCE only without a hash", at: .metadata,
            .altered([.member("code_challenge_methods_supported", ["plain"])])),
        FaultPersona(
            "MC06-closed", "a server that registers no clients", at: .metadata, .altered([.member("registration_endpoint", nil)])),
        FaultPersona(
            "MC07-refused", "a server that rejects the registration", at: .registration, .oauthError("invalid_client_metadata")),
        FaultPersona(
            "MC07-other-redirect", "a server that registers another redirect URI than requested", at: .registration,
            .altered([.member("redirect_uris", ["http://127.0.0.1:80/"])])),
        FaultPersona(
            "MC08-no-end", "a secret without an expiry", at: .registration, .altered([.member("client_secret_expires_at", nil)]),
            isHarmless: true
        ).and(at: .metadata, .member("token_endpoint_auth_methods_supported", ["client_secret_basic"])),
        FaultPersona(
            "MC14-endless", "a resource that always requires another scope", at: .resource,
            .answer(
                status: 403, body: #"{"error":"insufficient_scope"}"#,
                header: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="mcp:more""#])),
        FaultPersona("MC23-nothing", "a resource and a server without metadata", at: .resource, challenge("scope=\"mcp\"")).and(
            at: .metadata, fault: .status(404)),
        FaultPersona(
            "MC15-other-host", "metadata that sends the browser to another host, without a promise of iss", at: .metadata,
            .altered([
                .member("authorization_endpoint", "https://honest.example/authorize"),
                .member("authorization_response_iss_parameter_supported", nil),
            ])),
        FaultPersona(
            "MC15-other-token", "metadata with a token endpoint on another host, without a promise of iss", at: .metadata,
            .altered([
                .member("token_endpoint", "https://honest.example/token"),
                .member("authorization_response_iss_parameter_supported", nil),
            ])),
        FaultPersona(
            "MC15-other-issuer", "a callback that names another issuer", at: .authorization,
            .altered([.parameter("iss", "https://other.example")])),
    ]

    private static func challenge(_ parameters: String) -> Fault {
        .altered([.header("WWW-Authenticate", "Bearer \(parameters)")])
    }

    private static func described(_ id: String, _ behavior: String, _ member: String, _ value: JSONValue?) -> FaultPersona {
        FaultPersona(id, behavior, at: .resourceMetadata, .altered([.member(member, value)]))
    }
}
