import AuthHubPrimitives

/// Faults of a server at which programs authenticate or act with signed assertions.
extension FaultPersona {
    /// The faults in a sign-in without a user.
    package static let assertions: [FaultPersona] = [
        plain("CA02-issuer", "a server that accepts only assertions for its issuer, as a string").with(
            .assertions(rules { $0.audience = .issuer })),
        plain("CA02-token-endpoint", "a server that accepts only assertions for its token endpoint").with(
            .assertions(rules { $0.audience = .tokenEndpoint })),
        plain("CA03-no-type", "a server that rejects the type of assertions").with(.assertions(rules { $0.acceptsType = false })),
        plain("CA05-other-algorithm", "a server that accepts only signatures with an algorithm of other keys").with(
            .assertions(rules { $0.algorithms = ["ES384"] })),
        FaultPersona("CA04-echo", "an error that repeats the request", at: .tokenEndpoint, .echo(status: 400)),
        FaultPersona("IJ02-other-type", "an issued token of another type", at: .tokenEndpoint, issued("issued_token_type", accessToken)),
        FaultPersona(
            "IJ02-bearer", "an identity assertion with the token type of an access token", at: .tokenEndpoint,
            issued("token_type", "Bearer")),
        plain("IJ03-other-audience", "an identity assertion for another server").with(.identityAssertion(.otherAudience)),
        plain("IJ03-several-audiences", "an identity assertion for several servers").with(.identityAssertion(.severalAudiences)),
        plain("IJ03-other-client", "an identity assertion for another client").with(.identityAssertion(.otherClient)),
        plain("IJ03-other-header", "an identity assertion that does not say what it is").with(.identityAssertion(.otherType)),
        plain("IJ03-expired", "an identity assertion that has expired").with(.identityAssertion(.expired)),
        FaultPersona(
            "IJ07-interaction", "an identity provider that requires the user to sign in again", at: .tokenEndpoint,
            .oauthError("insufficient_user_authentication")),
    ]

    private static let accessToken = JSONValue.string("urn:ietf:params:oauth:token-type:access_token")

    private static func issued(_ member: String, _ value: JSONValue) -> Fault { .altered([.member(member, value)]) }

    /// A fault that is only in the server's rules.
    private static func plain(_ id: String, _ behavior: String) -> Self {
        FaultPersona(id, behavior, at: .tokenEndpoint, .altered([]))
    }

    private static func rules(_ change: (inout Persona.AssertionRules) -> Void) -> Persona.AssertionRules {
        var rules = Persona.AssertionRules()
        change(&rules)
        return rules
    }
}
