import AuthHubPrimitives
import DevelopmentServer
import Platform
import Testing

@Suite struct TokenEndpointTests {
    @Test func `exchanges a code for tokens, which are not cached`() async throws {
        try await Flow.run(.init(persona: .openID, lifetimes: .init(accessToken: .seconds(900)))) { flow in
            let answer = try await flow.exchange(try await flow.code())
            #expect(answer.status == 200)
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("Content-Type")?.hasPrefix("application/json") == true)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(answer.json["expires_in"] == 900)
            #expect(answer.json["scope"] == "openid profile email")
            #expect(try await flow.status(ofAccessToken: Tokens(answer).access) == 200)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var form: [String: String?] = [:]
        var status = 400
        let error: String
    }

    @Test(arguments: [
        Refused(testDescription: "unknown code", form: ["code": "made-up"], error: "invalid_grant"),
        Refused(testDescription: "no code", form: ["code": nil], error: "invalid_request"),
        Refused(testDescription: "wrong verifier", form: ["code_verifier": String(repeating: "x", count: 43)], error: "invalid_grant"),
        Refused(testDescription: "no verifier", form: ["code_verifier": nil], error: "invalid_grant"),
        Refused(testDescription: "another redirect URI", form: ["redirect_uri": "authhub://callback"], error: "invalid_grant"),
        Refused(testDescription: "no redirect URI", form: ["redirect_uri": nil], error: "invalid_grant"),
        Refused(testDescription: "no grant type", form: ["grant_type": nil], error: "invalid_request"),
        Refused(testDescription: "password grant", form: ["grant_type": "password"], error: "unsupported_grant_type"),
        Refused(testDescription: "unknown client", form: ["client_id": "nobody"], status: 401, error: "invalid_client"),
        Refused(testDescription: "secret of a public client", form: ["client_secret": "x"], status: 401, error: "invalid_client"),
        Refused(
            testDescription: "confidential client without its secret", form: ["client_id": "web-app"], status: 401, error: "invalid_client"),
    ])
    func `responds to an invalid token request with the codes of the specification`(row: Refused) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            var form: [String: String?] = [
                "grant_type": "authorization_code", "code": try await flow.code(), "redirect_uri": Flow.redirectURI,
                "code_verifier": Flow.verifier, "client_id": "native-app",
            ]
            form.merge(row.form) { _, new in new }
            var parameters = FormParameters()
            for (name, value) in form { parameters.append(name, ifPresent: value) }
            let answer = try await flow.client.post(flow.server.tokenEndpoint, form: parameters)
            #expect(answer.status == row.status)
            #expect(answer.json["error"]?.string == row.error)
            #expect((answer.header("WWW-Authenticate") != nil) == (row.status == 401))
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    @Test func `a code of one client is invalid for another`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let code = try await flow.code(client: flow.server.clients[0])
            let answer = try await flow.exchange(code, client: flow.server.clients[1])
            #expect(answer.json["error"] == "invalid_grant")
        }
    }

    @Test func `using a code again revokes its tokens`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let code = try await flow.code()
            let tokens = Tokens(try await flow.exchange(code))
            #expect(try await flow.status(ofAccessToken: tokens.access) == 200)
            #expect(try await flow.exchange(code).json["error"] == "invalid_grant")
            #expect(try await flow.status(ofAccessToken: tokens.access) == 401)
            #expect(try await flow.refresh(tokens.refresh).json["error"] == "invalid_grant")
            #expect(flow.server.log.codeReuseDetected == 1)
            #expect(flow.server.log.familiesRevoked == 1)
        }
    }

    @Test func `codes, access tokens and refresh tokens expire by the server's clock`() async throws {
        let clock = SettableClock()
        let lifetimes = DevelopmentServerConfiguration.Lifetimes(
            accessToken: .seconds(100), refreshToken: .seconds(1_000), code: .seconds(60))
        try await Flow.run(.init(persona: .openID, lifetimes: lifetimes, now: { clock.now })) { flow in
            let code = try await flow.code()
            clock.advance(by: 60)
            #expect(try await flow.exchange(code).json["error"] == "invalid_grant")

            let tokens = try await flow.tokens()
            clock.advance(by: 99)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 200)
            clock.advance(by: 1)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 401)
            let next = Tokens(try await flow.refresh(tokens.refresh))
            #expect(try await flow.status(ofAccessToken: next.access) == 200)
            clock.advance(by: 1_000)
            #expect(try await flow.refresh(next.refresh).json["error"] == "invalid_grant")
        }
    }

    @Test func `a refresh token is used once, and its reuse revokes the family`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let first = try await flow.tokens()
            let second = Tokens(try await flow.refresh(first.refresh))
            #expect(second.refresh != first.refresh && second.access != first.access)
            #expect(flow.server.log.refreshes == 1)
            #expect(try await flow.refresh(first.refresh).json["error"] == "invalid_grant")
            #expect(flow.server.log.reuseDetected == 1)
            #expect(flow.server.log.familiesRevoked == 1)
            #expect(try await flow.refresh(second.refresh).json["error"] == "invalid_grant")
            #expect(try await flow.status(ofAccessToken: second.access) == 401)
            #expect(flow.server.log.tokenRequests(grant: "refresh_token") == 3)
            #expect(flow.server.log.tokenRequests() == 4)
        }
    }

    @Test func `a refresh may request less scope, not more, and gets the whole scope again the next time`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let first = try await flow.tokens(scope: "openid repo user")
            let wider = try await flow.token(["grant_type": "refresh_token", "refresh_token": first.refresh, "scope": "openid email"])
            #expect(wider.json["error"] == "invalid_scope")
            let less = try await flow.token(["grant_type": "refresh_token", "refresh_token": first.refresh, "scope": "repo"])
            #expect(less.json["scope"] == "repo")
            #expect(less.json["id_token"] == nil)
            let again = try await flow.refresh(Tokens(less).refresh)
            #expect(again.json["scope"] == "openid repo user")
        }
    }

    @Test func `a client authenticates with Basic or with parameters, not with both`() async throws {
        let secret = "a secret: with + and & and % and ü"
        let client = DevelopmentClient(
            id: "client/with:odd id", secret: Secret(secret), name: "Odd", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        try await Flow.run(.init(persona: .openID, clients: [client])) { flow in
            func exchange(_ form: FormParameters, _ headers: [String: String]) async throws -> RawClient.Response {
                var form = form
                form.append("grant_type", "authorization_code")
                form.append("code", try await flow.code())
                form.append("redirect_uri", Flow.redirectURI)
                form.append("code_verifier", Flow.verifier)
                return try await flow.client.post(flow.server.tokenEndpoint, form: form, headers: headers)
            }
            #expect(try await exchange([:], .basic(client.id, secret)).status == 200)
            #expect(try await exchange(["client_id": client.id, "client_secret": secret], [:]).status == 200)
            let both = try await exchange(["client_id": client.id, "client_secret": secret], .basic(client.id, secret))
            #expect(both.json["error"] == "invalid_request")
            let wrong = try await exchange([:], .basic(client.id, "wrong"))
            #expect(wrong.status == 401 && wrong.json["error"] == "invalid_client")
            #expect(wrong.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        }
    }

    struct EmptySecret: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var client = "native-app"
        var form: FormParameters = [:]
        var isByBasic = true
        let status: Int
    }

    /// RFC 6749 §2.3.1: a client with an empty secret may omit it, so an empty secret counts as missing.
    @Test(arguments: [
        EmptySecret(testDescription: "a public client with Basic", status: 200),
        EmptySecret(
            testDescription: "a public client with Basic, with its ID in the form, too", form: ["client_id": "native-app"], status: 200),
        EmptySecret(
            testDescription: "a public client with parameters", form: ["client_id": "native-app", "client_secret": ""], isByBasic: false,
            status: 200),
        EmptySecret(testDescription: "a confidential client with Basic", client: "web-app", status: 401),
        EmptySecret(
            testDescription: "a confidential client with parameters", client: "web-app",
            form: ["client_id": "web-app", "client_secret": ""],
            isByBasic: false, status: 401),
        EmptySecret(testDescription: "an unknown client with Basic", client: "nobody", status: 401),
        EmptySecret(testDescription: "a different client in the form", form: ["client_id": "web-app"], status: 400),
    ])
    func `an empty client secret counts as none`(row: EmptySecret) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            var form = row.form
            form.append("grant_type", "authorization_code")
            let client = flow.server.clients.first { $0.id == row.client } ?? flow.server.clients[0]
            form.append("code", try await flow.code(client: client))
            form.append("redirect_uri", Flow.redirectURI)
            form.append("code_verifier", Flow.verifier)
            let answer = try await flow.client.post(
                flow.server.tokenEndpoint, form: form, headers: row.isByBasic ? .basic(row.client, "") : [:])
            #expect(answer.status == row.status)
            #expect((answer.json["access_token"] != nil) == (row.status == 200))
        }
    }

    @Test func `rejects a verifier without a challenge`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let confidential = flow.server.clients[1]
            let code = try await flow.code(client: confidential, changing: ["code_challenge": nil, "code_challenge_method": nil])
            #expect(try await flow.exchange(code, client: confidential).json["error"] == "invalid_grant")
        }
    }
}
