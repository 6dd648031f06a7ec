import AuthHubPrimitives
import JOSE
import Platform
@testable import OAuthProtocol
import Testing

/// One claim of an ID token, and whether the token is accepted.
private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let claims: [(String, JSONValue?)]
    /// A part of the error; nil if the token is accepted.
    let problem: String?
    var nonce: String? = IDTokenFixture.nonce
    var maximumAge: Int?
    var acrValues: [String] = []

    init(
        _ description: String, _ claims: (String, JSONValue?)..., problem: String? = nil, nonce: String? = IDTokenFixture.nonce,
        maximumAge: Int? = nil, acrValues: [String] = []
    ) {
        testDescription = description
        self.claims = claims
        self.problem = problem
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.acrValues = acrValues
    }

    func check(at server: ProviderProfile = openIDServer) async throws {
        var fixture = try IDTokenFixture(at: server)
        for (name, value) in claims { fixture.claims[name] = value }
        let verdict = try fixture.validate(await fixture.token(), nonce: nonce, maximumAge: maximumAge, acrValues: acrValues)
        switch (verdict, problem) {
        case (.success(let token), nil): #expect(token.subject == fixture.claims["sub"]?.string)
        case (.failure(let error), let problem?):
            #expect(error.code == .securityCheckFailed)
            #expect(error.explanation.contains(problem), "\(error.explanation)")
        case (.success, _?): Issue.record("the token was accepted")
        case (.failure(let error), nil): Issue.record("\(error)")
        }
    }
}

struct IDTokenClaimsTests {
    @Test(arguments: [
        Row("ID21: no iss", ("iss", nil), problem: "iss"),
        Row("ID21: iss is a number", ("iss", 1), problem: "iss"),
        Row("ID22: another issuer", ("iss", "https://other.example"), problem: "iss"),
        Row("ID22: a slash at the end", ("iss", "https://as.example/"), problem: "iss"),
        Row("ID22: http", ("iss", "http://as.example"), problem: "iss"),
        Row("ID22: a character more", ("iss", "https://as.example1"), problem: "iss"),
        Row("ID22: other case", ("iss", "https://AS.example"), problem: "iss"),
        Row("ID24: no aud", ("aud", nil), problem: "aud"),
        Row("ID24: an empty aud", ("aud", []), problem: "aud"),
        Row("ID24: aud is a number", ("aud", 1), problem: "aud"),
        Row("ID24: aud is a nested array", ("aud", [["a client"]]), problem: "aud"),
        Row("ID24: aud has a number next to the client", ("aud", ["a client", 1]), problem: "aud"),
        Row("ID25: aud is an array with the client only", ("aud", ["a client"])),
        Row("ID26: another client", ("aud", "another client"), problem: "another client"),
        Row("ID26: the beginning of the client ID", ("aud", "a clien"), problem: "another client"),
        Row("ID26: the client ID in other case", ("aud", "A client"), problem: "another client"),
        Row("ID27: several audiences and no azp", ("aud", ["a client", "b"]), problem: "azp"),
        Row("ID27: several audiences and this azp", ("aud", ["b", "a client"]), ("azp", "a client")),
        Row("ID28: another azp, although aud is this client", ("azp", "b"), problem: "azp"),
        Row("ID28: azp is a number", ("azp", 1), problem: "azp"),
        Row("ID29: no sub", ("sub", nil), problem: "sub"),
        Row("ID29: an empty sub", ("sub", ""), problem: "sub"),
        Row("ID29: sub is a number", ("sub", 248_289_761_001), problem: "sub"),
        Row("ID29: sub has 256 characters", ("sub", .string(String(repeating: "s", count: 256))), problem: "sub"),
        Row("ID29: sub has 255 characters", ("sub", .string(String(repeating: "s", count: 255)))),
    ])
    fileprivate func `checks the issuer, the audience and the subject`(row: Row) async throws {
        try await row.check()
    }

    @Test(arguments: [
        Row("ID30: no exp", ("exp", nil), problem: "exp"),
        Row("ID30: exp is a string", ("exp", .string("\(seconds + 3600)")), problem: "exp"),
        Row("ID31: expired 6 minutes ago", ("exp", .time(-360)), ("iat", .time(-400)), problem: "expired"),
        Row("ID31: expired within the tolerance", ("exp", .time(-29)), ("iat", .time(-100))),
        Row("ID31: expired at the end of the tolerance", ("exp", .time(-30)), ("iat", .time(-100)), problem: "expired"),
        Row("ID32: exp with a fraction", ("exp", .number(JSONNumber(text: "\(seconds + 60).5")))),
        Row("ID32: a negative exp", ("exp", -1), problem: "expired"),
        Row("ID32: an exp of 1e308", ("exp", .number(JSONNumber(text: "1e308"))), problem: "exp"),
        Row("ID32: an exp that is not finite", ("exp", .number(JSONNumber(text: "1e999"))), problem: "exp"),
        Row("ID33: no iat", ("iat", nil), problem: "iat"),
        Row("ID33: iat is a string", ("iat", "now"), problem: "iat"),
        Row("ID34: iat in the far future", ("iat", .time(3600)), problem: "future"),
        Row("ID34: iat in the future, within the tolerance", ("iat", .time(30))),
        Row("ID34: iat a week ago", ("iat", .time(-7 * 86_400)), problem: "long before"),
        Row("ID35: nbf in the future", ("nbf", .time(60)), problem: "nbf"),
        Row("ID35: nbf in the future, within the tolerance", ("nbf", .time(30))),
        Row("ID35: nbf is a string", ("nbf", "now"), problem: "nbf"),
    ])
    fileprivate func `checks the times`(row: Row) async throws {
        try await row.check()
    }

    @Test(arguments: [
        Row("ID36: no nonce, although one was sent", ("nonce", nil), problem: "nonce"),
        Row("ID36: a null nonce", ("nonce", .null), problem: "nonce"),
        Row("ID36: another nonce", ("nonce", "another"), problem: "not the one that was sent"),
        Row("ID36: nonce is an array with the one sent", ("nonce", [.string(IDTokenFixture.nonce)]), problem: "not the one that was sent"),
        Row("ID37: a nonce, although none was sent", problem: "none was sent", nonce: nil),
        Row("ID37: an empty nonce, although none was sent", ("nonce", ""), problem: "none was sent", nonce: nil),
        Row("ID37: no nonce, and none was sent", ("nonce", nil), nonce: nil),
        Row("ID39: no auth_time, although max_age was sent", problem: "auth_time", maximumAge: 600),
        Row("ID39: auth_time is a string", ("auth_time", "now"), problem: "auth_time", maximumAge: 600),
        Row("ID39: an old auth_time", ("auth_time", .time(-631)), problem: "longer ago", maximumAge: 600),
        Row("ID39: an auth_time within max_age", ("auth_time", .time(-600)), maximumAge: 600),
        Row("ID39: max_age is 0, and the user has just authenticated", ("auth_time", .time(-5)), maximumAge: 0),
        Row("ID39: max_age is 0, and the user authenticated a minute ago", ("auth_time", .time(-60)), problem: "longer ago", maximumAge: 0),
        Row("ID39: auth_time in the future", ("auth_time", .time(60)), problem: "future"),
        Row("ID40: no acr, although one is required", problem: "acr", acrValues: ["gold"]),
        Row("ID40: another acr", ("acr", "silver"), problem: "acr", acrValues: ["gold", "platinum"]),
        Row("ID40: one of the required classes", ("acr", "platinum"), acrValues: ["gold", "platinum"]),
    ])
    fileprivate func `checks what was requested`(row: Row) async throws {
        try await row.check()
    }

    @Test func `ID36, ID37: the profile may allow a missing or an empty nonce`() async throws {
        var server = openIDServer
        server.quirks.identity.nonce = .mayBeMissing
        try await Row("missing", ("nonce", nil)).check(at: server)
        try await Row("wrong", ("nonce", "another"), problem: "nonce").check(at: server)
        server.quirks.identity.nonce = .mayBeEmpty
        try await Row("empty", ("nonce", ""), nonce: nil).check(at: server)
        try await Row("missing", ("nonce", nil), problem: "nonce").check(at: server)
    }

    @Test(arguments: [
        Row("ID23: the tenant of the token", ("iss", "https://login.example/t-1/v2.0"), ("tid", "t-1")),
        Row("ID23: another tenant in tid", ("iss", "https://login.example/t-1/v2.0"), ("tid", "t-2"), problem: "iss"),
        Row("ID23: no tid", ("iss", "https://login.example/t-1/v2.0"), problem: "tid"),
        Row("ID23: the template itself", ("iss", "https://login.example/{tenantid}/v2.0"), ("tid", "{tenantid}"), problem: "tid"),
        Row("ID23: a tid that changes the path", ("iss", "https://login.example/a/b/v2.0"), ("tid", "a/b"), problem: "tid"),
        Row("ID23: an empty tid", ("iss", "https://login.example//v2.0"), ("tid", ""), problem: "tid"),
    ])
    fileprivate func `an issuer template is bound to the tenant`(row: Row) async throws {
        var server = openIDServer
        server.issuer = nil
        server.quirks.discovery.issuerTemplate = "https://login.example/{tenantid}/v2.0"
        try await row.check(at: server)
    }

    @Test func `ER03: the error for another issuer does not repeat the value, which could be a secret of the request`() async throws {
        try await Row("another URL", ("iss", "https://other.example/a-secret"), problem: "its iss is from https://other.example, not")
            .check()
        try await Row("no URL", ("iss", "a-secret"), problem: "its iss is no URL, not").check()
    }

    @Test func `the identity has the claims of the token`() async throws {
        var fixture = try IDTokenFixture()
        fixture.claims["auth_time"] = .time(-10)
        fixture.claims["amr"] = ["pwd", "otp"]
        fixture.claims["acr"] = "gold"
        fixture.claims["sid"] = "session"
        fixture.claims["name"] = "Jane Doe"
        let text = try await fixture.token()
        let token = try fixture.validate(text).get()
        #expect(token.issuer == "https://as.example")
        #expect(token.audience == [client.id])
        #expect(token.issuedAt == now)
        #expect(token.expiresAt == now.addingTimeInterval(3600))
        #expect(token.authenticatedAt == now.addingTimeInterval(-10))
        #expect(token.authenticationMethods == ["pwd", "otp"])
        #expect(token.authenticationContextClass == "gold")
        #expect(token.sessionID == "session")
        #expect(token.displayName == "Jane Doe")
        #expect(IDToken(stored: text) == token)
    }
}
