import AuthHubPrimitives

/// Faults in the claims of other providers that userinfo responses refer to, and the modules of the OpenID Foundation's conformance suite
/// about such claims. Each module has its name in the suite.
extension FaultPersona {
    package static let claims: [FaultPersona] = [
        good("oidcc-client-test-aggregated-claims", "claims of another provider in userinfo", at: .userInfo).with(
            .otherClaims(.aggregated)),
        good("oidcc-client-test-distributed-claims", "the URL of another provider's claims in userinfo", at: .claimsEndpoint).with(
            .otherClaims(.distributed)),
        aggregated("ID54-signature", "with a wrong signature", .signature(.flipped)),
        aggregated("ID54-unsecured", "with the algorithm none", .signature(.unsecured)),
        aggregated("ID54-key", "signed by a key that is not published", .signature(.by(.unpublished))),
        aggregated("ID54-issuer", "of an unknown issuer", .claim("iss", "https://other.example")),
        aggregated("ID54-no-issuer", "without iss", .claim("iss", nil)),
        aggregated("ID54-audience", "for another client", .claim("aud", "other-client")),
        aggregated("ID54-expired", "that have expired", .claimTime("exp", -360)),
        aggregated("ID54-missing", "without the claims that the response names", .claim("address", nil), .claim("phone_number", nil)),
        aggregated("ID54-names", "that replace the user", .member("_claim_names", ["sub": "aggregated"]), .claim("sub", "92997159")),
        aggregated("ID54-source", "from a source that is missing", .member("_claim_sources", [:])),
        distributed("ID53-signature", "with a wrong signature", .signature(.flipped)),
        distributed("ID53-issuer", "of an unknown issuer", .claim("iss", "https://other.example")),
        distributed("ID53-audience", "for another client", .claim("aud", "other-client")),
        distributed("ID53-json", "as JSON", .surrounded(before: "{}", after: "")),
        failing("ID53-failing", "500", .status(500)),
        failing("ID53-page", "a web page", .html),
        failing(
            "ID53-elsewhere", "a redirect", .answer(status: 302, header: ["Location": "https://elsewhere.example/claims"])),
        failing("ID53-long", "more than 64 KiB", .altered([.surrounded(after: String(repeating: "x", count: 66_000))])),
        bad(
            "ID53-private", "the URL of another provider's claims in a private network", at: .userInfo,
            .member("_claim_sources", ["distributed": ["endpoint": "https://169.254.169.254/claims", "access_token": "t"]])
        ).with(.otherClaims(.distributed)),
    ]

    private static func aggregated(_ id: String, _ behavior: String, _ changes: AnswerChange...) -> Self {
        FaultPersona(id, "claims of another provider " + behavior + rejected, at: .userInfo, .altered(changes)).with(
            .otherClaims(.aggregated))
    }

    private static func distributed(_ id: String, _ behavior: String, _ changes: AnswerChange...) -> Self {
        failing(id, behavior, .altered(changes))
    }

    private static func failing(_ id: String, _ behavior: String, _ fault: Fault) -> Self {
        FaultPersona(id, "another provider's claims at their URL: " + behavior + rejected, at: .claimsEndpoint, fault).with(
            .otherClaims(.distributed))
    }
}
