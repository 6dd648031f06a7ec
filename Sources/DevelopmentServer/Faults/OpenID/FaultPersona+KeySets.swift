import AuthHubPrimitives

/// Faults in the published keys.
extension FaultPersona {
    static let keySets: [FaultPersona] = documents + publishedKeys + changingKeys

    private static let documents: [FaultPersona] = [
        failing("JK01-not-found", "404 instead of the keys", .status(404)),
        failing("JK01-busy", "503 instead of the keys", .status(503, retryAfter: .seconds(7))),
        failing(
            "JK01-moved", "a redirect instead of the keys", .answer(status: 302, header: ["Location": "https://elsewhere.example/jwks"])),
        failing("JK01-page", "a web page instead of the keys", .html),
        good("JK01-page-type", "keys with the media type of a web page", at: .keySet, .header("Content-Type", "text/html")),
        good("JK01-own-type", "keys with the media type of keys", at: .keySet, .header("Content-Type", "application/jwk-set+json")),
        bad("JK02-missing", "no array of keys", at: .keySet, .member("keys", nil)),
        bad("JK02-null", "null as the array of keys", at: .keySet, .member("keys", .null)),
        bad("JK02-object", "an object as the array of keys", at: .keySet, .member("keys", ["a": "b"])),
        bad("JK02-text", "a string among the keys", at: .keySet, .keySet(.added(["key"]))),
        failing("JK02-array", "an array without the object around it", .answer(body: "[]")),
        bad("JK02-twice", "the array of keys twice", at: .keySet, .repeatedMember("keys", [])),
        bad("JK02-none", "no keys", at: .keySet, .member("keys", [])),
        bad("JK13-many", "more than 100 keys", at: .keySet, .keySet(.filled(101))),
        bad(
            "JK13-large", "a key set of more than 256 KiB", at: .keySet, .member("padding", .string(String(repeating: "x", count: 270_000)))
        ),
    ]

    private static let publishedKeys: [FaultPersona] = [
        good("JK03-unknown", "keys of unknown types and curves in addition", at: .keySet, .keySet(.decoys([.unknownType]))),
        good("JK03-member", "a key with an unknown member", at: .keySet, .keySet(.member("unknown", true))),
        bad("JK04-private", "the private part of the key", at: .keySet, .keySet(.member("d", .string(String(repeating: "A", count: 43))))),
        bad("JK04-factor", "a prime factor of the RSA key", at: .keySet, .keySet(.member("p", "AAAA"))).with(.algorithm(.rs256)),
        bad(
            "JK05-symmetric", "an ID token with HS256, and its key among the published keys", .joseHeader("kid", "symmetric"),
            .signature(.mac(.published))
        )
        .and(at: .keySet, .keySet(.decoys([.symmetric]))),
        bad("JK05-mixed", "a symmetric key in addition", at: .keySet, .keySet(.decoys([.symmetric]))),
        bad("JK06-off-curve", "a point that is not on the curve", at: .keySet, .keySet(.bytes("y", .flipped))),
        bad("JK06-short", "a coordinate of 31 bytes", at: .keySet, .keySet(.bytes("x", .shortened))),
        bad("JK06-long", "a coordinate of 33 bytes", at: .keySet, .keySet(.bytes("x", .zeroInFront))),
        bad("JK06-ed25519", "an Ed25519 key of 31 bytes", at: .keySet, .keySet(.bytes("x", .shortened))).with(.algorithm(.edDSA)),
        bad("JK07-even", "an even modulus", at: .keySet, .keySet(.bytes("n", .flipped))).with(.algorithm(.rs256)),
        bad("JK07-exponent", "the exponent 1", at: .keySet, .keySet(.member("e", "AQ"))).with(.algorithm(.rs256)),
        bad(
            "JK07-huge", "a modulus of 16,392 bits", at: .keySet,
            .keySet(.member("n", .string(String(repeating: "_", count: 2732))))
        ).with(.algorithm(.rs256)),
        bad("JK08-duplicate", "another key with the same kid, type and algorithm", at: .keySet, .keySet(.decoys([.duplicate]))),
        good("JK08-same-kid", "the same kid on keys of other types", at: .keySet, .keySet(.decoys([.sameKeyID]))),
        good(
            "JK14-url", "the URL of a certificate in a key, which is never fetched", at: .keySet,
            .keySet(.member("x5u", "{issuer}/other-certificate"))),
        good("JK14-certificate", "a certificate in a key, which is not trusted", at: .keySet, .keySet(.member("x5c", ["MIIB"]))),
        bad("JK15-small-order", "an Ed25519 key for which anyone can sign", .signature(.by(.smallOrder))).and(
            at: .keySet, .keySet(.replaced(.smallOrder))
        ).with(.algorithm(.edDSA)),
        bad("JK15-zeros", "an Ed25519 key of zeros", .signature(.by(.zeros))).and(
            at: .keySet, .keySet(.replaced(.zeros))
        ).with(.algorithm(.edDSA)),
        bad("JK16-roca", "an RSA key whose primes are not random", .signature(.by(.roca))).and(
            at: .keySet, .keySet(.replaced(.roca))
        ).with(.algorithm(.rs256)),
        bad("JK17-zero", "a modulus with a leading zero byte", at: .keySet, .keySet(.bytes("n", .zeroInFront))).with(.algorithm(.rs256)),
    ]

    private static let changingKeys: [FaultPersona] = [
        good("JK09-rotation", "new keys before each ID token is signed").with(.keyRotation(.beforeSigning)),
        bad("JK10-random", "a new kid in each ID token, for which a client fetches the keys once a minute at most", .token(.randomKeyID)),
        good("JK11-busy", "503 instead of the keys from the second request on, so that a client keeps its copy").and(
            at: .keySet, fault: .altered([]), isOnce: true
        ).and(at: .keySet, fault: .status(503)),
        bad("JK12-withdrawn", "keys that are withdrawn as soon as they have signed an ID token").with(.keyRotation(.afterSigning)),
    ]

    private static func failing(_ id: String, _ behavior: String, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior + rejected, at: .keySet, fault)
    }
}
