import AuthHubPrimitives

/// Faults in the form, the header and the signature of ID tokens.
extension FaultPersona {
    static let idTokens: [FaultPersona] = form + algorithms + signatures + headers + keyIDs

    private static let form: [FaultPersona] = [
        bad("TR18-no-id-token", "no ID token, although openid was granted", .member("id_token", nil)),
        bad("ID01-one-part", "an ID token of one part", .token(.parts(1))),
        bad("ID01-two-parts", "an ID token of two parts", .token(.parts(2))),
        bad("ID01-four-parts", "an ID token of four parts", .token(.parts(4))),
        bad("ID01-five-parts", "an ID token of five parts", .token(.parts(5))),
        bad("ID02-padding", "an ID token with padding after the claims", .token(.padded)),
        bad("ID02-alphabet", "an ID token with the alphabet of base64 in the header", .token(.standardAlphabet)),
        bad("ID02-space", "an ID token with a space", .token(.inserted(" "))),
        bad("ID02-line-feed", "an ID token with a line feed", .token(.inserted("\n"))),
        bad("ID03-array", "an ID token whose claims are an array", .token(.payload(Array("[1]".utf8)))),
        bad(
            "ID03-not-utf-8", "an ID token whose claims are not UTF-8",
            .token(.payload(notUTF8))),
        bad("ID03-header", "an ID token whose header is a string", .token(.header(Array(#""ES256""#.utf8)))),
        bad("ID04-claim-twice", "an ID token with the sub twice", .token(.repeatedClaim("sub", "1"))),
        bad("ID04-header-twice", "an ID token with the alg twice", .token(.repeatedHeader("alg", "none"))),
        bad("ID49-token", "an ID token of more than 64 KiB", .claim("padding", .string(String(repeating: "x", count: 66_000)))),
        bad(
            "ID49-header", "an ID token with a header of more than 8 KiB",
            .joseHeader("padding", .string(String(repeating: "x", count: 9_000)))),
        bad("ID55-access-token", "the access token instead of the ID token", .token(.accessToken)),
        bad("ID55-typed", "an access token by RFC 9068 instead of the ID token", .joseHeader("typ", "at+jwt"), .claim("nonce", nil)),
    ]

    private static let notUTF8: [UInt8] = Array(#"{"sub":""#.utf8) + [0xFF] + Array(#""}"#.utf8)

    private static let algorithms: [FaultPersona] = [
        bad("ID05-none", "an ID token with the algorithm none", .signature(.unsecured)),
        bad("ID05-upper-case", "an ID token with the algorithm NONE", .joseHeader("alg", "NONE"), .signature(.empty)),
        bad("ID05-mixed-case", "an ID token with the algorithm nOnE", .joseHeader("alg", "nOnE"), .signature(.empty)),
        bad("ID05-missing", "an ID token without an algorithm", .joseHeader("alg", nil)),
        bad("ID06-unlisted", "an ID token with an algorithm that the metadata does not list").and(
            at: .metadata, .member("id_token_signing_alg_values_supported", ["RS256"])),
        bad("ID06-unknown", "an ID token with an unknown algorithm", .joseHeader("alg", "ES257")),
        bad("ID07-public-key", "an ID token with HS256, keyed with the public key", .signature(.mac(.publicKey))),
        bad("ID07-rsa", "an ID token with HS256, keyed with the public RSA key", .signature(.mac(.publicKey))).with(.algorithm(.rs256)),
        bad(
            "ID08-secret", "an ID token with HS256, keyed with the client secret, or nothing if there is none",
            .signature(.mac(.clientSecret))),
        bad("ID08-nothing", "an ID token with HS256, keyed with nothing", .signature(.mac(.nothing))),
        bad("ID09-short", "an ID token with HS256, keyed with eight bytes of the client secret", .signature(.mac(.shortenedClientSecret))),
        bad("ID11-algorithm", "an ID token with ES384 in the header, and a key for ES256", .joseHeader("alg", "ES384")),
        bad("ID11-type", "an ID token with RS256 in the header, and a key for ES256", .joseHeader("alg", "RS256")),
        bad("ID11-curve", "an ID token with ES256, and a key on P-384", .signature(.by(.otherCurve))).and(
            at: .keySet, .keySet(.replaced(.otherCurve))),
        bad("ID12-1024-bits", "an ID token by an RSA key of 1024 bits", .signature(.by(.smallRSA))).and(
            at: .keySet, .keySet(.replaced(.smallRSA))
        ).with(.algorithm(.rs256)),
        bad("ID12-exponent", "an ID token by an RSA key with the exponent 1", .signature(.by(.exponentOne))).and(
            at: .keySet, .keySet(.replaced(.exponentOne))
        ).with(.algorithm(.rs256)),
    ]

    private static let signatures: [FaultPersona] = [
        bad("ID10-der", "a signature in DER", .signature(.der)),
        bad("ID10-short", "an ECDSA signature without its last byte", .signature(.truncated)),
        bad("ID10-long", "an ECDSA signature with an additional byte", .signature(.extended)),
        bad("ID10-zeros", "an ECDSA signature of zeros", .signature(.zeros)),
        bad("ID13-flipped", "a signature with one wrong bit", .signature(.flipped)),
        bad("ID13-empty", "an empty signature", .signature(.empty)),
        bad("ID13-truncated", "an RSA signature without its last byte", .signature(.truncated)).with(.algorithm(.rs256)),
        bad("ID13-other-key", "a signature by a key that is not published", .signature(.by(.unpublished))),
        bad("ID13-rs256", "a wrong signature with RS256", .signature(.flipped)).with(.algorithm(.rs256)),
        bad("ID13-ps256", "a wrong signature with PS256", .signature(.flipped)).with(.algorithm(.ps256)),
        bad("ID13-eddsa", "a wrong signature with EdDSA", .signature(.flipped)).with(.algorithm(.edDSA)),
        bad(
            "ID56-other-server", "an ID token of another server, by a key of that server", .claim("iss", "https://other.example"),
            .signature(.by(.unpublished))),
        bad(
            "ID56-other-key", "an ID token with the issuer of this server, by a key of another", .joseHeader("kid", "other"),
            .signature(.by(.unpublished))),
    ]

    private static let headers: [FaultPersona] = [
        good("ID14-jku", "the URL of other keys in the header, which is never fetched", .joseHeader("jku", "{issuer}/other-keys")),
        good(
            "ID14-x5u", "the URL of a certificate in the header, which is never fetched", .joseHeader("x5u", "{issuer}/other-certificate")),
        good("ID14-x5c", "a certificate in the header, which is ignored", .joseHeader("x5c", ["MIIB"])),
        good("ID14-jwk", "a key in the header, which is ignored", .joseHeader("jwk", .object(UnusualKey.unpublished.members))),
        bad(
            "ID14-own-key", "an ID token that contains the key that signed it", .joseHeader("jwk", .object(UnusualKey.unpublished.members)),
            .joseHeader("kid", nil), .signature(.by(.unpublished))),
        bad("ID15-unknown", "a critical header parameter", .joseHeader("crit", ["exp"]), .joseHeader("exp", 4_102_444_800)),
        bad("ID15-empty", "an empty list of critical header parameters", .joseHeader("crit", .array([]))),
        bad("ID16-b64", "claims that are not encoded, by the header", .joseHeader("b64", false), .joseHeader("crit", ["b64"])),
        bad("ID17-access-token", "the type of an access token in the header", .joseHeader("typ", "at+jwt")),
        bad("ID17-logout-token", "the type of a logout token in the header", .joseHeader("typ", "logout+jwt")),
        bad("ID17-proof", "the type of a DPoP proof in the header", .joseHeader("typ", "dpop+jwt")),
        good("ID17-lower-case", "the type jwt in the header", .joseHeader("typ", "jwt")),
        good("ID17-no-type", "no type in the header", .joseHeader("typ", nil)),
        bad("ID18-nested", "a nested token, by the header", .joseHeader("cty", "JWT")),
        bad("ID19-plain", "an ID token that is not encrypted, although the client registered encryption").with(.plainTokens),
        bad("ID20-rsa15", "an ID token that is encrypted with RSA1_5", .token(.encrypted(["alg": "RSA1_5", "enc": "A128CBC-HS256"]))),
        bad(
            "ID20-zip", "an ID token that is compressed and encrypted",
            .token(.encrypted(["alg": "RSA-OAEP", "enc": "A128GCM", "zip": "DEF"]))),
        bad(
            "ID20-iterations", "an ID token that is encrypted with a password and four billion iterations",
            .token(.encrypted(["alg": "PBES2-HS256+A128KW", "enc": "A128GCM", "p2c": 4_000_000_000, "p2s": "AAAAAAAAAAA"]))),
    ]

    private static let keyIDs: [FaultPersona] = [
        bad("ID44-unknown", "a new kid in each ID token, although the keys stay the same", .token(.randomKeyID)),
        good("ID45-no-kid", "no kid, and one key", .joseHeader("kid", nil)),
        bad("ID46-no-kid", "no kid, and three keys that fit", .joseHeader("kid", nil)).and(at: .keySet, .keySet(.decoys([.sameAlgorithm]))),
        good("ID47-same-kid", "the same kid on keys of other types and algorithms", at: .keySet, .keySet(.decoys([.sameKeyID]))),
        bad("ID48-encryption", "a key for encryption", at: .keySet, .keySet(.member("use", "enc"))),
        bad("ID48-operations", "a key whose operations do not include verify", at: .keySet, .keySet(.member("key_ops", ["encrypt"]))),
    ]
}
