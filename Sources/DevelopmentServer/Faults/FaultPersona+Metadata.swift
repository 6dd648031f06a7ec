import AuthHubPrimitives

/// Faults in the metadata document.
extension FaultPersona {
    static let metadata: [FaultPersona] = [
        altered("AR54-no-challenge", "metadata that does not offer S256 for PKCE", .member("code_challenge_methods_supported", ["plain"])),
        altered("AR55-fragment", "an authorization endpoint with a fragment", .member("authorization_endpoint", "http://127.0.0.1/a#b")),
        altered("DD01-no-issuer", "metadata without issuer", .member("issuer", nil)),
        altered("DD01-number", "a number as the issuer", .member("issuer", 7)),
        altered("DD02-other", "metadata of another issuer", .member("issuer", "https://other.example")),
        altered("DD02-path", "metadata of an issuer with an additional path", .member("issuer", "http://127.0.0.1/tenant")),
        failing("DD06-nothing", "404 for every document", .status(404)),
        failing("DD06-denied", "401 for every document", .status(401)),
        failing("DD06-failing", "status 500", .status(500)),
        failing("DD07-moved", "a redirect", .answer(status: 302, header: ["Location": "https://elsewhere.example/metadata"])),
        failing("DD08-page", "a web page", .html),
        failing("DD08-array", "an array", .answer(body: "[]")),
        altered("DD08-twice", "the issuer twice", .repeatedMember("issuer", "https://other.example")),
        failing("DD08-large", "more than 1 MiB", .answer(body: #"{"a":""# + String(repeating: "x", count: 1_200_000) + #""}"#)),
        altered("DD09-relative", "a relative token endpoint", .member("token_endpoint", "/token")),
        altered("DD09-http", "a token endpoint without TLS", .member("token_endpoint", "http://login.example/token")),
        altered("DD09-script", "a javascript: URL as the authorization endpoint", .member("authorization_endpoint", "javascript:alert(1)")),
        altered("DD09-person", "a token endpoint with user information", .member("token_endpoint", "https://a@b.example/token")),
        altered("DD10-no-token-endpoint", "no token endpoint", .member("token_endpoint", nil)),
        altered("DD10-no-authorization-endpoint", "no authorization endpoint", .member("authorization_endpoint", nil)),
        altered(
            "DD11-no-known-way", "no known client authentication method",
            .member("token_endpoint_auth_methods_supported", ["private_key_jwt", "tls_client_auth"])),
        altered("DD12-no-algorithm", "no algorithm for ID tokens", .member("id_token_signing_alg_values_supported", nil), isHarmless: true)
            .with(.algorithm(.rs256)),
        altered("DD13-text", "strings instead of arrays", .member("scopes_supported", "openid"), isHarmless: true),
        altered("DD14-signed", "signed metadata in addition to the plain metadata", .member("signed_metadata", "a.b.c"), isHarmless: true),
        altered(
            "DD25-two-origins", "the token endpoint on a different origin than the authorization endpoint, and no iss in responses",
            .member("token_endpoint", "http://127.0.0.2:9/token"), .member("authorization_response_iss_parameter_supported", false)),
    ]

    private static func altered(_ id: String, _ behavior: String, _ changes: AnswerChange..., isHarmless: Bool = false) -> FaultPersona {
        FaultPersona(id, behavior, at: .metadata, .altered(changes), isHarmless: isHarmless)
    }

    private static func failing(_ id: String, _ behavior: String, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior, at: .metadata, fault)
    }
}
