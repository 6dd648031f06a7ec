import AuthHubPrimitives

/// The modules of the OpenID Foundation's conformance suite for relying parties, by their names there: those of the plans Basic, Config and
/// Refresh, and those about userinfo.
extension FaultPersona {
    static let relyingParty: [FaultPersona] = basic + configuration + refreshing + userInfoModules

    private static let basic: [FaultPersona] = [
        accepts("", "a server without faults"),
        accepts("-client-secret-basic", "a server without faults, for a client that authenticates by HTTP Basic"),
        rejects("-nonce-invalid", "another nonce", .claimSuffix("nonce", "1")),
        rejects("-invalid-iss", "an iss with an additional character", .claimSuffix("iss", "1")),
        rejects("-invalid-aud", "an aud with an additional character", .claimSuffix("aud", "1")),
        rejects("-missing-aud", "no aud", .claim("aud", nil)),
        rejects("-missing-sub", "no sub", .claim("sub", nil)),
        rejects("-missing-iat", "no iat", .claim("iat", nil)),
        rejects("-invalid-sig-rs256", "a wrong signature with RS256", .signature(.flipped)).with(.algorithm(.rs256)),
        rejects("-invalid-sig-es256", "a wrong signature with ES256", .signature(.flipped)),
        rejects(
            "-invalid-sig-hs256", "a wrong signature with HS256, for a client that registered it",
            .signature(.mac(.clientSecret)), .signature(.flipped)),
        accepts("-idtoken-sig-rs256", "a signature with RS256, and the same kid on other keys").with(.algorithm(.rs256)).and(
            at: .keySet, .keySet(.decoys([.sameKeyID]))),
        rejects("-idtoken-sig-none", "no signature, which a client may accept only if it registered none", .signature(.unsecured)),
        accepts("-kid-absent-single-jwks", "no kid, and one key that fits among others", .joseHeader("kid", nil)).and(
            at: .keySet, .keySet(.decoys([.sameKeyID, .unknownType]))),
        rejects(
            "-kid-absent-multiple-jwks", "no kid, and three keys that fit, all of which a client may also try",
            .joseHeader("kid", nil)
        ).and(at: .keySet, .keySet(.decoys([.sameAlgorithm]))),
    ]

    private static let configuration: [FaultPersona] = [
        accepts("-discovery-openid-config", "metadata that a client fetches"),
        accepts("-discovery-jwks-uri-keys", "keys that a client fetches"),
        rejects("-discovery-issuer-mismatch", "metadata of another issuer", at: .metadata, .member("issuer", "{issuer}/other")),
        accepts("-signing-key-rotation", "new keys before each code is issued").with(.keyRotation(.atAuthorization)),
        accepts("-signing-key-rotation-just-before-signing", "new keys before each ID token is signed").with(
            .keyRotation(.beforeSigning)),
    ]

    private static let refreshing: [FaultPersona] = [
        accepts("-refresh-token", "a new ID token after a refresh"),
        rejects(
            "-refresh-token-invalid-issuer", "after a refresh, an iss with an additional character", at: .refresh,
            .claimSuffix("iss", "1")),
        rejects(
            "-refresh-token-invalid-sub", "after a refresh, a sub with an additional character", at: .refresh,
            .claimSuffix("sub", "1")),
    ]

    private static let userInfoModules: [FaultPersona] = [
        accepts("-userinfo-bearer-header", "an endpoint that accepts the token only in the header", at: .userInfo).with(
            .userInfoToken(.header)),
        accepts("-userinfo-bearer-body", "an endpoint that accepts the token only in the body of a POST", at: .userInfo).with(
            .userInfoToken(.body)),
        rejects("-userinfo-invalid-sub", "userinfo of another user", at: .userInfo, .member("sub", "583231-other")),
        accepts("-userinfo-signed", "signed userinfo, for a client that registered it", at: .userInfo).with(
            .userInfo(.signed(.rs256))),
        accepts("-scope-userinfo-claims", "the claims of the requested scopes in userinfo", at: .userInfo),
    ]

    private static func rejects(
        _ module: String, _ behavior: String, at place: Faults.Place = .tokenEndpoint, _ changes: AnswerChange...
    ) -> Self {
        FaultPersona("oidcc-client-test" + module, behavior + rejected, at: place, .altered(changes))
    }

    private static func accepts(
        _ module: String, _ behavior: String, at place: Faults.Place = .tokenEndpoint, _ changes: AnswerChange...
    ) -> Self {
        FaultPersona("oidcc-client-test" + module, behavior + accepted, at: place, .altered(changes), isHarmless: true)
    }
}
