import AuthHubPrimitives

/// Faults in the responses of the userinfo endpoint.
extension FaultPersona {
    static let userInfo: [FaultPersona] = [
        bad("UI01-missing", "userinfo without sub", at: .userInfo, .member("sub", nil)),
        bad("UI01-number", "a number as the sub in userinfo", at: .userInfo, .member("sub", 583_231)),
        bad("UI01-empty", "an empty sub in userinfo", at: .userInfo, .member("sub", "")),
        bad("UI02-other", "userinfo of another user", at: .userInfo, .member("sub", "92997159")),
        bad("UI02-suffix", "a sub with an additional character in userinfo", at: .userInfo, .member("sub", "583231 ")),
        FaultPersona(
            "UI03-expired", "401 in response to the first userinfo request, after which a client refreshes once" + accepted, at: .userInfo,
            .altered([]), isHarmless: true
        ).and(at: .userInfo, fault: invalidToken, isOnce: true),
        failing("UI03-always", "401 in response to every userinfo request", invalidToken),
        failing("UI04-failing", "500 instead of userinfo", .status(500)),
        failing("UI04-created", "userinfo with status 201", .altered([.status(201)])),
        failing("UI04-page", "a web page instead of userinfo", .html),
        failing("UI04-array", "an array instead of userinfo", .answer(body: #"[{"sub":"583231"}]"#)),
        failing("UI04-cut-off", "userinfo that ends in the middle", .truncated),
        failing("UI04-broken", "half a JSON object instead of userinfo", .answer(body: #"{"sub":"583231","#)),
        bad("UI04-twice", "the sub twice in userinfo", at: .userInfo, .repeatedMember("sub", "1")),
        failing("UI05-json", "JSON, although the client registered signed userinfo", .altered([])).with(.userInfo(.json)),
        signed("UI05-signed", "signed userinfo, although the client registered none"),
        signed("UI06-signature", "signed userinfo with a wrong signature", .signature(.flipped)),
        signed("UI06-unsecured", "signed userinfo with the algorithm none", .signature(.unsecured)),
        signed("UI06-public-key", "signed userinfo with HS256, keyed with the public key", .signature(.mac(.publicKey))),
        signed("UI06-key", "signed userinfo by a key that is not published", .signature(.by(.unpublished))),
        signed("UI06-issuer", "signed userinfo of another issuer", .claim("iss", "https://other.example")),
        signed("UI06-no-issuer", "signed userinfo without iss", .claim("iss", nil)),
        signed("UI06-audience", "signed userinfo for another client", .claim("aud", "other-client")),
        signed("UI06-no-audience", "signed userinfo without aud", .claim("aud", nil)),
        signed("UI06-subject", "signed userinfo of another user", .claim("sub", "92997159")),
        failing(
            "UI07-elsewhere", "a redirect of the userinfo request to another server, which must not get the token",
            .answer(status: 302, header: ["Location": "https://elsewhere.example/userinfo"])),
        wrongType("UI08-email", "a number as the email", .member("email", 5)),
        wrongType("UI08-name", "an array as the name", .member("name", ["The Octocat"])),
        wrongType("UI08-verified", "a word as email_verified", .member("email_verified", "perhaps")),
        wrongType("UI08-null", "null as the picture", .member("picture", .null)),
        good("UI09-header", "an endpoint that accepts the token only in the header", at: .userInfo).with(.userInfoToken(.header)),
        bad("UI10-id", "a numeric id instead of sub in userinfo", at: .userInfo, .member("sub", nil), .member("id", 583_231)),
    ]

    private static let invalidToken = Fault.answer(
        status: 401, body: #"{"error":"invalid_token"}"#, header: ["WWW-Authenticate": #"Bearer error="invalid_token""#])

    private static func failing(_ id: String, _ behavior: String, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior + rejected, at: .userInfo, fault)
    }

    private static func signed(_ id: String, _ behavior: String, _ changes: AnswerChange...) -> FaultPersona {
        FaultPersona(id, behavior + rejected, at: .userInfo, .altered(changes)).with(.userInfo(.signed(.es256)))
    }

    private static func wrongType(_ id: String, _ behavior: String, _ change: AnswerChange) -> FaultPersona {
        FaultPersona(id, behavior + " in userinfo; a client accepts the other claims", at: .userInfo, .altered([change]), isHarmless: true)
    }
}
