import AuthHubPrimitives
import Testing

@testable import DevelopmentServer

@Suite struct IDTokenTests {
    @Test func `claims describe the sign-in, and stay the same after a refresh except for the nonce`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let first = try await flow.exchange(try await flow.code(changing: ["nonce": "a nonce"]))
            let before = try #require(SignedToken(first.json["id_token"]?.string))
            #expect(before.claims["amr"] == ["pwd"])
            #expect(before.claims["acr"] == "urn:mace:incommon:iap:bronze")
            #expect((before.claims["sid"]?.string ?? "").utf8.count == 22)
            clock.advance(by: 60)
            let second = try await flow.refresh(Tokens(first).refresh)
            let after = try #require(SignedToken(second.json["id_token"]?.string))
            for name in ["iss", "sub", "aud", "auth_time", "sid", "acr", "amr"] { #expect(after.claims[name] == before.claims[name]) }
            #expect(after.claims["nonce"] == nil)
            #expect(after.claims["iat"] == 1_800_000_060)
            #expect(after.hasHash(of: Tokens(second).access))
        }
    }

    @Test func `a refresh returns no ID token if the persona says so`() async throws {
        var persona = Persona.openID
        persona.openIDConnect.returnsIDTokenAfterRefresh = false
        try await Flow.run(.init(persona: persona)) { flow in
            let first = try await flow.exchange(try await flow.code())
            #expect(first.json["id_token"] != nil)
            let second = try await flow.refresh(Tokens(first).refresh)
            #expect(second.status == 200 && second.json["id_token"] == nil)
        }
    }

    @Test func `the ID token has the user's claims if the persona says so, with the same sub as userinfo`() async throws {
        var persona = Persona.openID
        persona.openIDConnect.hasUserClaimsInIDToken = true
        try await Flow.run(.init(persona: persona)) { flow in
            let answer = try await flow.exchange(try await flow.code(scope: "openid email"))
            let token = try #require(SignedToken(answer.json["id_token"]?.string))
            #expect(token.claims["email"] == "octocat@example.com" && token.claims["email_verified"] == true)
            #expect(token.claims["name"] == nil && token.claims["picture"] == nil)
            let userInfo = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(Tokens(answer).access)).json
            #expect(userInfo["sub"] == token.claims["sub"] && userInfo["email"] == token.claims["email"])
        }
    }

    struct Classes: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let requested: String?
        let acr: String
    }

    @Test(arguments: [
        Classes(testDescription: "none", requested: nil, acr: "urn:mace:incommon:iap:bronze"),
        Classes(testDescription: "a known class", requested: "urn:mace:incommon:iap:silver", acr: "urn:mace:incommon:iap:silver"),
        Classes(
            testDescription: "the first known class", requested: "gold urn:mace:incommon:iap:silver urn:mace:incommon:iap:bronze",
            acr: "urn:mace:incommon:iap:silver"),
        Classes(testDescription: "an unknown class", requested: "gold", acr: "urn:mace:incommon:iap:bronze"),
    ])
    func `acr is the first requested class that the server knows`(row: Classes) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.exchange(try await flow.code(changing: ["acr_values": row.requested]))
            #expect(SignedToken(answer.json["id_token"]?.string)?.claims["acr"]?.string == row.acr)
        }
    }

    @Test func `max_age and prompt=login demand a new sign-in, which auth_time reports`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let person = flow.person()
            func authenticatedAt(_ changes: [String: String?]) async throws -> JSONValue? {
                let response = try await person.visit(flow.authorizationPath(changing: changes))
                let answer = try await flow.exchange(response.redirectParameters["code"] ?? response.redirectParameters["error"] ?? "")
                return SignedToken(answer.json["id_token"]?.string)?.claims["auth_time"]
            }
            #expect(try await authenticatedAt([:]) == 1_800_000_000)
            clock.advance(by: 100)
            #expect(try await authenticatedAt(["max_age": "100"]) == 1_800_000_000)
            #expect(await person.passwordsEntered == 1)
            clock.advance(by: 1)
            let silent = try await person.visit(flow.authorizationPath(changing: ["max_age": "100", "prompt": "none"]))
            #expect(silent.redirectParameters["error"] == "login_required")
            #expect(try await authenticatedAt(["max_age": "100"]) == 1_800_000_101)
            clock.advance(by: 1)
            #expect(try await authenticatedAt(["max_age": "0"]) == 1_800_000_102)
            clock.advance(by: 1)
            #expect(try await authenticatedAt(["prompt": "login"]) == 1_800_000_103)
            #expect(await person.passwordsEntered == 4)
            let invalid = try await person.visit(flow.authorizationPath(changing: ["max_age": "soon"]))
            #expect(invalid.redirectParameters["error"] == "invalid_request")
        }
    }
}
