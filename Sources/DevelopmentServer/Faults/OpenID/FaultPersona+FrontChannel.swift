import AuthHubPrimitives

/// The modules of the OpenID Foundation's conformance suite about ID tokens in the callback and about posted forms, with their names in the
/// suite. They have no effect for clients that request only a code.
extension FaultPersona {
    package static let frontChannel: [FaultPersona] = [
        accepts("nonce-unless-code-flow", "a server that requires a nonce if an ID token is requested in the callback"),
        rejects("invalid-athash", "an at_hash with an additional character in the callback's ID token", .claimSuffix("at_hash", "1")),
        rejects("missing-athash", "no at_hash in the callback's ID token", .claim("at_hash", nil)),
        rejects("invalid-chash", "a c_hash with an additional character in the callback's ID token", .claimSuffix("c_hash", "1")),
        rejects("missing-chash", "no c_hash in the callback's ID token", .claim("c_hash", nil)),
        rejects(
            "form-post-error", "a posted form with an error", .parameter("code", nil), .parameter("id_token", nil),
            .parameter("access_token", nil), .parameter("error", "login_required")),
        FaultPersona(
            "AR39-other-hash", "an s_hash with an additional character in the callback's ID token" + rejected, at: .authorization,
            .altered([.claimSuffix("s_hash", "1")])),
        FaultPersona(
            "AR36-no-id-token", "no ID token in the callback" + rejected, at: .authorization, .altered([.parameter("id_token", nil)])),
    ]

    /// Returns the persona with the faults of the token response in the callback instead.
    package var inCallback: FaultPersona {
        guard place == .tokenEndpoint else { return self }
        var persona = FaultPersona(id, behavior, at: .authorization, fault, isHarmless: isHarmless)
        for other in others { persona = persona.and(at: other.place, fault: other.fault, isOnce: other.isOnce) }
        for preparation in preparations { persona = persona.with(preparation) }
        return persona
    }

    private static func accepts(_ module: String, _ behavior: String) -> Self {
        FaultPersona("oidcc-client-test-" + module, behavior + accepted, at: .authorization, .altered([]), isHarmless: true)
    }

    private static func rejects(_ module: String, _ behavior: String, _ changes: AnswerChange...) -> Self {
        FaultPersona("oidcc-client-test-" + module, behavior + rejected, at: .authorization, .altered(changes))
    }
}
