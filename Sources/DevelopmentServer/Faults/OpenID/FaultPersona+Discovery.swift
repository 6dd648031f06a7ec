import AuthHubPrimitives

/// Faults before a sign-in begins: in the search for an account's provider, in registrations, and in requests to sign in. Modules of the
/// OpenID Foundation's conformance suite have their names in the suite.
extension FaultPersona {
    package static let discovery: [FaultPersona] = [
        accepts("discovery-webfinger-acct", "the provider of an account", at: .webFinger),
        accepts("discovery-webfinger-url", "the provider of a user's page", at: .webFinger),
        bad("DD23-no-link", "no provider of an account", at: .webFinger, .member("links", [])),
        bad(
            "DD23-other-issuer", "a provider whose metadata names another issuer", at: .webFinger,
            .member("links", [["rel": "http://openid.net/specs/connect/1.0/issuer", "href": "{issuer}/other"]])),
        accepts("dynamic-registration", "a registration", at: .registration),
        accepts("3rd-party-init-login", "a request to sign in", at: .loginInitiation),
        bad(
            "LO09-other-issuer", "a request to sign in at another server", at: .loginInitiation,
            .parameter("iss", "https://other.example")),
        bad(
            "LO09-other-target", "a request to sign in that leads to another site", at: .loginInitiation,
            .parameter("target_link_uri", "https://other.example/")),
    ]

    private static func accepts(_ module: String, _ behavior: String, at place: Faults.Place) -> Self {
        FaultPersona("oidcc-client-test-" + module, behavior + accepted, at: place, .altered([]), isHarmless: true)
    }
}
