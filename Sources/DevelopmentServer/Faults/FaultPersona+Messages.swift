import AuthHubPrimitives

/// Faults in the responses to pushed requests, revocation, introspection, registration and requests to the API.
extension FaultPersona {
    /// The faults in single messages.
    package static let messages: [FaultPersona] = [
        altered("PA01-ok", "status 200 instead of 201", at: .pushedAuthorization, .status(200)),
        rejected(
            "PA01-moved", "a redirect", at: .pushedAuthorization,
            .answer(status: 302, header: ["Location": "https://elsewhere.example"])),
        altered("PA02-missing", "no request_uri", at: .pushedAuthorization, .member("request_uri", nil)),
        altered("PA02-empty", "an empty request_uri", at: .pushedAuthorization, .member("request_uri", "")),
        altered("PA02-number", "a number as the request_uri", at: .pushedAuthorization, .member("request_uri", 7)),
        altered("PA03-missing", "no lifetime", at: .pushedAuthorization, .member("expires_in", nil)),
        altered("PA03-zero", "a lifetime of 0", at: .pushedAuthorization, .member("expires_in", 0)),
        altered("PA03-text", "a string as the lifetime", at: .pushedAuthorization, .member("expires_in", "60")),
        rejected("PA04-refused", "an error about the request", at: .pushedAuthorization, .oauthError("invalid_request")),
        rejected(
            "PA04-client", "an error about the client", at: .pushedAuthorization,
            .answer(status: 401, body: #"{"error":"invalid_client"}"#)),
        rejected("PA04-busy", "429 with a Retry-After", at: .pushedAuthorization, .status(429, retryAfter: .seconds(7))),
        rejected("PA11-busy", "429 with an error about the client", at: .pushedAuthorization, busy),
        rejected("ER03-pushed-echo", "an error that repeats the request", at: .pushedAuthorization, .echo(status: 400)),
        FaultPersona(
            "PA08-no-endpoint", "pushed requests are required, but there is no endpoint for them", at: .metadata,
            .altered([.member("pushed_authorization_request_endpoint", nil)])),

        harmless("RV01-page", "a web page in response to a revocation", at: .revocation, .surrounded(before: "<html>")),
        rejected("RV02-busy", "503 with a Retry-After", at: .revocation, .status(503, retryAfter: .seconds(7))),
        rejected("RV04-busy", "429 with an error about the client", at: .revocation, busy),
        rejected("ER03-revocation-echo", "an error that repeats the request", at: .revocation, .echo(status: 400)),
        rejected("RV02-kind", "a type of token that cannot be revoked", at: .revocation, .oauthError("unsupported_token_type")),
        rejected("RV03-lost", "no response to a revocation", at: .revocation, .dropConnection),

        rejected(
            "RS14-elsewhere", "a redirect of the userinfo request to another server", at: .api,
            .answer(status: 302, header: ["Location": "https://elsewhere.example/userinfo"])),

        rejected("IN03-busy", "429 with an error about the client", at: .introspection, busy),
        rejected("ER03-introspection-echo", "an error that repeats the request", at: .introspection, .echo(status: 400)),
        altered("IN01-missing", "a response without active", at: .introspection, .member("active", nil)),
        altered("IN01-text", "the member active is a string", at: .introspection, .member("active", "true")),
        altered("IN01-inactive", "active is false, but the other members are present", at: .introspection, .member("active", false)),

        rejected("RG08-busy", "429 with an error about the metadata", at: .registration, busy),
        altered("RG01-ok", "status 200 instead of 201", at: .registration, .status(200)),
        altered("RG01-no-id", "no client_id", at: .registration, .member("client_id", nil)),
        altered("RG02-no-end", "a secret without an expiry", at: .registration, .member("client_secret_expires_at", nil)),
        altered("RG02-text", "a string as the secret's expiry", at: .registration, .member("client_secret_expires_at", "0")),
        harmless(
            "RG03-redirect", "a redirect URI other than the requested one", at: .registration,
            .member("redirect_uris", ["https://other.example/cb"])),
        harmless(
            "RG04-elsewhere", "a registration URL at another server", at: .registration,
            .member("registration_client_uri", "https://elsewhere.example/register/1")),
        rejected("RG05-redirect", "an error about the redirect URI", at: .registration, .oauthError("invalid_redirect_uri")),
        rejected("RG05-metadata", "an error about the metadata", at: .registration, .oauthError("invalid_client_metadata")),
        rejected(
            "RG05-token", "401 without an initial access token", at: .registration,
            .answer(status: 401, header: ["WWW-Authenticate": "Bearer"])),
        rejected(
            "RG05-statement", "an error about the software statement", at: .registration, .oauthError("unapproved_software_statement")),
    ]

    private static let busy = Fault.answer(status: 429, body: #"{"error":"invalid_client"}"#, header: ["Retry-After": "7"])

    private static func rejected(_ id: String, _ behavior: String, at place: Faults.Place, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior, at: place, fault)
    }

    private static func altered(_ id: String, _ behavior: String, at place: Faults.Place, _ changes: AnswerChange...) -> FaultPersona {
        FaultPersona(id, behavior, at: place, .altered(changes))
    }

    private static func harmless(_ id: String, _ behavior: String, at place: Faults.Place, _ changes: AnswerChange...) -> FaultPersona {
        FaultPersona(id, behavior, at: place, .altered(changes), isHarmless: true)
    }
}
