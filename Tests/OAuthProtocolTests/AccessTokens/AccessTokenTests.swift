import AuthHubPrimitives
import JOSE
@testable import OAuthProtocol
import Testing

/// One defect of an access token, and a part of the error; nil if the token is accepted.
private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var claims: [(String, JSONValue?)] = []
    var type: String? = "at+jwt"
    let problem: String?

    init(_ description: String, _ claims: (String, JSONValue?)..., type: String? = "at+jwt", problem: String? = nil) {
        testDescription = description
        self.claims = claims
        self.type = type
        self.problem = problem
    }
}

/// A server that signs access tokens, and the claims of a token that passes every check.
private struct Fixture {
    static let api = "https://api.example"

    let key: SoftwareSigningKey
    var server = openIDServer
    var claims = JSONObject()

    init(signingWith algorithm: SignatureAlgorithm = .es256) throws {
        key = try SoftwareSigningKey.generate(algorithm)
        claims["iss"] = "https://as.example"
        claims["sub"] = "248289761001"
        claims["aud"] = .string(Self.api)
        claims["client_id"] = "a client"
        claims["jti"] = "dbe39bf3a3ba4238"
        claims["scope"] = "orders:read orders:write"
        claims["exp"] = .time(300)
        claims["iat"] = .time(0)
    }

    func token(_ type: String? = "at+jwt") async throws -> Secret<String> {
        try await JSONWebSignature.sign(claims, with: key, type: type)
    }

    func verify(_ text: Secret<String>, keys: JSONWebKeySet? = nil) -> Result<AccessTokenClaims, OAuthError> {
        do throws(OAuthError) {
            return .success(
                try AccessTokenClaims(text, for: Self.api, keys: keys ?? JSONWebKeySet([key.publicKey]), at: server, now: now))
        } catch {
            return .failure(error)
        }
    }

    func rejection(of text: Secret<String>, keys: JSONWebKeySet? = nil) -> String? {
        guard case .failure(let error) = verify(text, keys: keys), error.code == .securityCheckFailed else { return nil }
        return error.explanation
    }
}

struct AccessTokenTests {
    @Test(arguments: [
        Row("a token with all claims"),
        Row("VT03: the type as a media type, in capitals", type: "Application/AT+JWT"),
        Row("VT03: no type", type: nil, problem: "no typ"),
        Row("VT03: the type of an ID token", type: "JWT", problem: "typ of another kind"),
        Row("VT03: an empty type", type: "", problem: "typ of another kind"),
        Row("VT03: a logout token", type: "logout+jwt", problem: "typ of another kind"),
        Row("VT03: a proof of possession", type: "dpop+jwt", problem: "typ of another kind"),
        Row("VT03: a longer type", type: "at+jwt2", problem: "typ of another kind"),
        Row("VT07: no iss", ("iss", nil), problem: "iss"),
        Row("VT07: another issuer", ("iss", "https://other.example"), problem: "iss"),
        Row("VT07: a slash at the end", ("iss", "https://as.example/"), problem: "iss"),
        Row("VT07: iss in an array", ("iss", ["https://as.example"]), problem: "iss"),
        Row("VT08: no aud", ("aud", nil), problem: "aud"),
        Row("VT08: an empty aud", ("aud", []), problem: "aud"),
        Row("VT08: another API", ("aud", "https://other.example"), problem: "another API"),
        Row("VT08: a URL below the API", ("aud", "https://api.example/orders"), problem: "another API"),
        Row("VT08: the client instead of an API", ("aud", "a client"), problem: "another API"),
        Row("VT08: aud has a number next to the API", ("aud", ["https://api.example", 1]), problem: "aud"),
        Row("VT08: this API and others", ("aud", ["https://other.example", "https://api.example"])),
        Row("VT09: no exp", ("exp", nil), problem: "exp"),
        Row("VT09: exp is a string", ("exp", .string("\(seconds + 300)")), problem: "exp"),
        Row("VT09: expired at the end of the tolerance", ("exp", .time(-30)), problem: "expired"),
        Row("VT09: expired within the tolerance", ("exp", .time(-29))),
        Row("VT10: no iat", ("iat", nil), problem: "iat"),
        Row("VT10: issued in the future", ("iat", .time(31)), problem: "future"),
        Row("VT10: issued in the future, within the tolerance", ("iat", .time(30))),
        Row("VT10: issued a month ago", ("iat", .time(-30 * 86_400))),
        Row("VT11: not valid yet", ("nbf", .time(31)), problem: "nbf"),
        Row("VT11: nbf is a string", ("nbf", "now"), problem: "nbf"),
        Row("VT12: no sub", ("sub", nil), problem: "sub"),
        Row("VT12: an empty sub", ("sub", ""), problem: "sub"),
        Row("VT12: no client_id", ("client_id", nil), problem: "client_id"),
        Row("VT12: client_id is a number", ("client_id", 1), problem: "client_id"),
        Row("VT12: no jti", ("jti", nil), problem: "jti"),
        Row("VT12: an empty jti", ("jti", ""), problem: "jti"),
        Row("VT13: scope is an array", ("scope", ["orders:read"]), problem: "scope"),
        Row("VT13: no scope", ("scope", nil)),
        Row("VT14: bound to a key", ("cnf", ["jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"]), problem: "cnf"),
        Row("VT14: bound to something unknown", ("cnf", .null), problem: "cnf"),
        Row("an auth_time", ("auth_time", .time(-60))),
        Row("auth_time is a string", ("auth_time", "now"), problem: "auth_time"),
    ])
    fileprivate func `checks the type and the claims of an access token`(row: Row) async throws {
        var fixture = try Fixture()
        for (name, value) in row.claims { fixture.claims[name] = value }
        switch (fixture.verify(try await fixture.token(row.type)), row.problem) {
        case (.success(let claims), nil):
            #expect(claims.subject == "248289761001" && claims.clientID == "a client" && claims.tokenID == "dbe39bf3a3ba4238")
            #expect(claims.audience.contains(Fixture.api) && claims.issuer == "https://as.example")
            #expect(claims.scope == (fixture.claims["scope"] == nil ? [] : ["orders:read", "orders:write"]))
            #expect(claims.claims == fixture.claims)
        case (.failure(let error), let problem?):
            #expect(error.code == .securityCheckFailed)
            #expect(error.explanation.contains(problem), "\(error.explanation)")
        case (.success, _?): Issue.record("the token was accepted")
        case (.failure(let error), nil): Issue.record("\(error)")
        }
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es512, .ed25519])
    func `accepts every algorithm with public keys`(algorithm: SignatureAlgorithm) async throws {
        let fixture = try Fixture(signingWith: algorithm)
        await #expect(throws: Never.self) { try fixture.verify(await fixture.token()).get() }
    }

    @Test func `VT05: accepts neither an unsigned token nor an HMAC, whatever the profile says`() async throws {
        var fixture = try Fixture()
        fixture.server.quirks.identity.algorithms = ["HS256", "none"]
        let secret = Secret(String(repeating: "s", count: 32))
        let text = try await JSONWebSignature.sign(fixture.claims, with: SoftwareSigningKey(clientSecret: secret), type: "at+jwt")
        #expect(fixture.rejection(of: text)?.contains("not allowed") == true)
        #expect(fixture.rejection(of: text, keys: JSONWebKeySet([JSONWebKey(clientSecret: secret)])) != nil)
        // RFC 8725 §2.1: the public key, which everyone knows, as the secret of an HMAC.
        let known = Secret(String(decoding: JSONValue.object(fixture.key.publicKey.publicMembers).serialized(), as: UTF8.self))
        let forged = try await JSONWebSignature.sign(fixture.claims, with: SoftwareSigningKey(clientSecret: known), type: "at+jwt")
        #expect(fixture.rejection(of: forged)?.contains("not allowed") == true)
        for algorithm in ["none", "None", "NONE", ""] {
            let header: JSONValue = ["alg": .string(algorithm), "typ": "at+jwt"]
            let parts = [header, .object(fixture.claims)].map { Base64URL.encode($0.serialized()) }
            #expect(fixture.rejection(of: Secret(parts.joined(separator: ".") + ".")) != nil)
            #expect(fixture.rejection(of: Secret(parts.joined(separator: ".") + ".c2ln")) != nil)
        }
    }

    @Test func `VT06: rejects a changed signature, changed claims, and another server's key`() async throws {
        let fixture = try Fixture()
        let parts = try await fixture.token().reveal().split(separator: ".").map(String.init)
        var other = fixture
        other.claims["sub"] = "1"
        let otherParts = try await other.token().reveal().split(separator: ".").map(String.init)
        #expect(fixture.rejection(of: Secret("\(parts[0]).\(otherParts[1]).\(parts[2])"))?.contains("signature") == true)
        #expect(fixture.rejection(of: Secret("\(parts[0]).\(parts[1]).\(String(parts[2].dropLast(4)))")) != nil)
        #expect(fixture.rejection(of: Secret("\(parts[0]).\(parts[1]).")) != nil)
        guard case .failure(let error) = fixture.verify(try await Fixture().token()) else {
            Issue.record("another server's key was accepted")
            return
        }
        #expect((error.underlying as? JOSEError)?.code == .noKey, "so that the keys are fetched again")
    }

    @Test(arguments: [
        ("VT01: opaque", "Zm9vYmFy", "introspect"), ("VT01: empty", "", "introspect"), ("VT01: one dot", "a.b", "introspect"),
        ("VT01: four parts", "a.b.c.d", "introspect"), ("VT01: six parts", "a.b.c.d.e.f", "introspect"),
        ("VT01: not base64url", "a.b.!", "rejected"), ("VT02: encrypted", "eyJhbGciOiJkaXIifQ..AA.AA.AA", "encrypted"),
    ])
    func `says what is wrong with a token of another format, without repeating it`(
        description: String, text: String, reason: String
    ) throws {
        let explanation = try Fixture().rejection(of: Secret(text))
        #expect(explanation?.contains(reason) == true, "\(explanation ?? "accepted")")
        #expect(text.count < 8 || explanation?.contains(text) == false)
    }

    @Test func `VT04: an ID token and an access token of one server are not accepted as each other`() async throws {
        var fixture = try IDTokenFixture()
        fixture.claims["aud"] = [.string(client.id), .string(Fixture.api)]
        fixture.claims["azp"] = .string(client.id)
        fixture.claims["client_id"] = .string(client.id)
        fixture.claims["jti"] = "1"
        for type in ["JWT", nil] {
            let token = try await fixture.token(type: type)
            #expect(throws: Never.self) { try fixture.validate(token).get() }
            #expect(try Fixture().rejection(of: token, keys: JSONWebKeySet([fixture.key.publicKey])) != nil)
        }
        let token = try await fixture.token(type: "at+jwt")
        #expect(throws: OAuthError.self) { try fixture.validate(token).get() }
        #expect(throws: Never.self) { try Fixture().verify(token, keys: JSONWebKeySet([fixture.key.publicKey])).get() }
    }

    @Test func `VT16: a token of more than 64 KiB is rejected`() async throws {
        var fixture = try Fixture()
        fixture.claims["roles"] = .string(String(repeating: "r", count: 64 * 1024))
        let text = try await fixture.token()
        #expect(fixture.rejection(of: text) != nil)
    }

    @Test func `VT17: duplicate members and critical header parameters are rejected`() async throws {
        let fixture = try Fixture()
        func rejects(_ header: String, _ payload: String) -> Bool {
            let signed = [header, payload].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
            return fixture.rejection(of: Secret(signed + ".c2ln")) != nil
        }
        #expect(rejects(#"{"alg":"ES256","typ":"at+jwt","typ":"JWT"}"#, "{}"))
        #expect(rejects(#"{"alg":"ES256","typ":"at+jwt","crit":["exp"]}"#, "{}"))
    }

    @Test func `a provider without an issuer cannot verify access tokens`() async throws {
        var fixture = try Fixture()
        fixture.server.issuer = nil
        guard case .failure(let error) = fixture.verify(try await fixture.token()) else {
            Issue.record("the token was accepted")
            return
        }
        #expect(error.code == .configuration)
    }
}
