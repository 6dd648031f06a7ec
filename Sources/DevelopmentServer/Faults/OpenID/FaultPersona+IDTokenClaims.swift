import AuthHubPrimitives

/// Faults in the claims of ID tokens.
extension FaultPersona {
    static let idTokenClaims: [FaultPersona] = identifiers + times + conditions + others

    private static let identifiers: [FaultPersona] = [
        bad("ID21-missing", "no iss", .claim("iss", nil)),
        bad("ID21-number", "a number as the iss", .claim("iss", 7)),
        bad("ID22-other", "the iss of another server", .claim("iss", "https://other.example")),
        bad("ID22-slash", "an iss with an additional slash", .claimSuffix("iss", "/")),
        bad("ID22-character", "an iss with an additional character", .claimSuffix("iss", "1")),
        bad("ID22-scheme", "an iss with another scheme", .claim("iss", "ftp://127.0.0.1")),
        bad("ID23-template", "an iss with a placeholder", .claimSuffix("iss", "/{tenantid}/v2.0")),
        bad("ID24-missing", "no aud", .claim("aud", nil)),
        bad("ID24-empty", "an empty array as the aud", .claim("aud", .array([]))),
        bad("ID24-number", "a number as the aud", .claim("aud", 7)),
        bad("ID24-nested", "nested arrays as the aud", .claimArray("aud", []), .claimArray("aud", [])),
        good("ID25-array", "the aud in an array", .claimArray("aud", [])),
        bad("ID26-other", "the aud of another client", .claim("aud", "other-client")),
        bad("ID26-suffix", "an aud with an additional character", .claimSuffix("aud", "1")),
        bad("ID26-case", "the aud in upper case", .claim("aud", "NATIVE-APP")),
        bad("ID27-audiences", "a second audience and no azp", .claimArray("aud", ["other-client"])),
        bad("ID28-azp", "the azp of another client", .claim("azp", "other-client")),
        bad(
            "ID28-audiences", "a second audience and the azp of another client", .claimArray("aud", ["other-client"]),
            .claim("azp", "other-client")),
        bad("ID29-missing", "no sub", .claim("sub", nil)),
        bad("ID29-empty", "an empty sub", .claim("sub", "")),
        bad("ID29-number", "a number as the sub", .claim("sub", 583_231)),
        bad("ID29-long", "a sub of 256 characters", .claim("sub", .string(String(repeating: "5", count: 256)))),
    ]

    private static let times: [FaultPersona] = [
        bad("ID30-missing", "no exp", .claim("exp", nil)),
        bad("ID30-text", "a string as the exp", .claim("exp", "4102444800")),
        bad("ID31-expired", "an exp six minutes ago", .claimTime("exp", -360)),
        good("ID31-tolerance", "an exp ten seconds ago", .claimTime("exp", -10)),
        good("ID32-fraction", "a fraction as the exp", .claim("exp", .number(JSONNumber(text: "4102444800.5")))),
        bad("ID32-negative", "a negative exp", .claim("exp", -1)),
        bad("ID32-huge", "an exp of 1e400", .claim("exp", .number(JSONNumber(text: "1e400")))),
        bad("ID33-missing", "no iat", .claim("iat", nil)),
        bad("ID33-text", "a string as the iat", .claim("iat", "1700000000")),
        bad("ID34-future", "an iat in an hour", .claimTime("iat", 3600)),
        bad("ID34-old", "an iat a week ago", .claimTime("iat", -604_800)),
        bad("ID35-future", "an nbf in an hour", .claimTime("nbf", 3600)),
        good("ID35-past", "an nbf a minute ago", .claimTime("nbf", -60)),
    ]

    private static let conditions: [FaultPersona] = [
        bad("ID36-missing", "no nonce, although one was sent", .claim("nonce", nil)),
        bad("ID36-other", "another nonce", .claimSuffix("nonce", "1")),
        bad("ID36-number", "a number as the nonce", .claim("nonce", 7)),
        bad("ID37-unrequested", "a nonce, whether or not one was sent", .claim("nonce", "unrequested")),
        bad("ID37-empty", "an empty nonce", .claim("nonce", "")),
        bad("ID38-replayed", "the first ID token again in all later responses", .token(.replayed)),
        bad("ID39-missing", "no auth_time, although max_age was sent", .claim("auth_time", nil)),
        bad("ID39-old", "an auth_time a day ago, although max_age was less", .claimTime("auth_time", -86_400)),
        bad("ID39-text", "a string as the auth_time", .claim("auth_time", "1700000000")),
        bad("ID40-missing", "no acr, although one was essential", .claim("acr", nil)),
        bad("ID40-other", "a different acr than the essential one", .claim("acr", "0")),
        bad("ID41-other", "the hash of another access token", .claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
        bad("ID41-whole", "the whole hash of the access token", .token(.wholeAccessTokenHash)),
        bad("ID41-number", "a number as the hash of the access token", .claim("at_hash", 7)),
        good("ID42-missing", "no hash of the access token", .claim("at_hash", nil)),
        bad(
            "ID43-other-hash", "the SHA-384 hash of the access token, although the algorithm uses SHA-256", .token(.otherAccessTokenHash)),
        good("ID43-rs256", "an ID token with RS256").with(.algorithm(.rs256)),
        good("ID43-ps256", "an ID token with PS256").with(.algorithm(.ps256)),
        good("ID43-eddsa", "an ID token with EdDSA and the SHA-512 hash of the access token").with(.algorithm(.edDSA)),
    ]

    private static let others: [FaultPersona] = [
        good("ID52-text", "a string as email_verified in the ID token and in userinfo", .claim("email_verified", "true")).and(
            at: .userInfo, .member("email_verified", "true")
        ).with(.userClaimsInIDToken),
        good(
            "ID53-distributed", "a claim at another server, which is not fetched unasked", at: .userInfo,
            .member("_claim_names", ["credit_score": "src1"]),
            .member("_claim_sources", ["src1": ["endpoint": "{issuer}/distributed-claims", "access_token": "ksj3n283dke"]])),
        good(
            "ID54-aggregated", "a claim in a token of an unknown issuer, which is not merged", at: .userInfo,
            .member("_claim_names", ["credit_score": "src1"]), .member("_claim_sources", ["src1": ["JWT": .string(aggregated)]])),
    ]

    /// `{"alg":"ES256","kid":"unknown"}`, `{"iss":"https://claims.example","credit_score":800}` and a signature of zeros.
    private static let aggregated =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6InVua25vd24ifQ.eyJpc3MiOiJodHRwczovL2NsYWltcy5leGFtcGxlIiwiY3JlZGl0X3Njb3JlIjo4MDB9."
        + String(repeating: "A", count: 86)
}

/// Faults in the ID tokens of responses to a refresh.
extension FaultPersona {
    static let refreshedIDTokens: [FaultPersona] = [
        bad("ID50-issuer", "after a refresh, the iss of another server", at: .refresh, .claim("iss", "https://other.example")),
        bad("ID50-subject", "after a refresh, the sub of another user", at: .refresh, .claim("sub", "92997159")),
        bad("ID51-audience", "after a refresh, the aud of another client", at: .refresh, .claim("aud", "other-client")),
        bad("ID51-azp", "after a refresh, the azp of another client", at: .refresh, .claim("azp", "other-client")),
        bad("ID51-auth-time", "after a refresh, another auth_time", at: .refresh, .claimTime("auth_time", -86_400)),
        bad("ID51-nonce", "after a refresh, another nonce", at: .refresh, .claim("nonce", "other")),
        bad("ID51-iat", "after a refresh, an iat before that of the sign-in", at: .refresh, .claimTime("iat", -86_400)),
        bad("ID57-hash", "after a refresh, the hash of another access token", at: .refresh, .claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
        good("ID51-no-id-token", "after a refresh, no ID token", at: .refresh).with(.noIDTokenAfterRefresh),
        good("ID51-no-auth-time", "after a refresh, no auth_time", at: .refresh, .claim("auth_time", nil)),
    ]
}
