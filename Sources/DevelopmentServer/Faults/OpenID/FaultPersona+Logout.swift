import AuthHubPrimitives

/// The modules of the OpenID Foundation's conformance suite about logout, with their names in the suite. They have no effect on sign-ins.
extension FaultPersona {
    package static let logout: [FaultPersona] = rpInitiated + inFrames + backChannel

    private static let rpInitiated: [FaultPersona] = [
        accepts("rp-init-logout", "a sign-out page that redirects back"),
        rejects("rp-init-logout-other-state", "a redirect from the sign-out page with another state", .parameter("state", "other")),
        rejects("rp-init-logout-no-state", "a redirect from the sign-out page without state", .parameter("state", nil)),
    ]

    private static let inFrames: [FaultPersona] = [
        accepts("rp-frontchannel-rpinitlogout", "a frame with a page of the client, after the client has signed the user out"),
        accepts("rp-frontchannel-opinitlogout", "a frame with a page of the client, after the user has signed out at the server"),
    ]

    private static let backChannel: [FaultPersona] = [
        accepts(
            "rp-backchannel-rpinitlogout", "a logout token with an unknown claim", at: .logoutToken,
            .claim("unknown", "a claim that is not defined")),
        rejectsToken("alg-none", "a logout token with the algorithm none", .signature(.unsecured)),
        rejectsToken("wrong-alg", "a logout token with HS256, keyed with the client secret", .signature(.mac(.clientSecret))),
        rejectsToken("wrong-iss", "a logout token with an additional character in the iss", .claimSuffix("iss", "1")),
        rejectsToken("wrong-aud", "a logout token with an additional character in the aud", .claimSuffix("aud", "1")),
        rejectsToken("no-event", "a logout token without events", .claim("events", nil)),
        rejectsToken("wrong-event", "a logout token with another event", .claim("events", ["http://schemas.openid.net/event/other": [:]])),
        rejectsToken("with-nonce", "a logout token with a nonce", .claim("nonce", "n")),
    ]

    private static func accepts(
        _ module: String, _ behavior: String, at place: Faults.Place = .endSession, _ changes: AnswerChange...
    ) -> Self {
        FaultPersona("oidcc-client-test-" + module, behavior + accepted, at: place, .altered(changes), isHarmless: true)
    }

    private static func rejects(_ module: String, _ behavior: String, _ changes: AnswerChange...) -> Self {
        FaultPersona("oidcc-client-test-" + module, behavior + rejected, at: .endSession, .altered(changes))
    }

    private static func rejectsToken(_ fault: String, _ behavior: String, _ changes: AnswerChange...) -> Self {
        FaultPersona(
            "oidcc-client-test-rp-backchannel-rpinitlogout-" + fault, behavior + rejected, at: .logoutToken, .altered(changes))
    }
}
