import AuthHubPrimitives
import DevelopmentServer
import NIOHTTP1
import Testing

@Suite struct GitHubQuirksTests {
    @Test func `responses are forms unless JSON is requested`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let form = try await flow.exchange(try await flow.code(), headers: [:])
            #expect(form.header("Content-Type")?.hasPrefix("application/x-www-form-urlencoded") == true)
            #expect(form.form["access_token"]?.hasPrefix("ghu_") == true)
            let json = try await flow.exchange(try await flow.code())
            #expect(json.json["access_token"]?.string?.hasPrefix("ghu_") == true)
        }
    }

    @Test func `a GitHub App gets tokens that expire, permissions instead of scopes, and a refresh invalidates the old access token`()
        async throws
    {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let answer = try await flow.exchange(try await flow.code(scope: "repo,user"))
            #expect(answer.json["token_type"] == "bearer")
            #expect(answer.json["scope"] == "")
            #expect(answer.json["expires_in"] == 28_800)
            #expect(answer.json["refresh_token_expires_in"] == 15_897_600)
            let first = Tokens(answer)
            #expect(first.refresh.hasPrefix("ghr_"))
            let second = Tokens(try await flow.refresh(first.refresh))
            #expect(try await flow.status(ofAccessToken: first.access) == 401)
            #expect(try await flow.status(ofAccessToken: second.access) == 200)
        }
    }

    @Test func `an OAuth app gets a token without expiry, scopes with commas, and no refresh token`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let app = flow.server.clients[1]
            let answer = try await flow.exchange(try await flow.code(client: app, scope: "repo gist moon"), client: app)
            #expect(answer.json["access_token"]?.string?.hasPrefix("gho_") == true)
            #expect(answer.json["scope"] == "repo,gist")
            #expect(answer.json["expires_in"] == nil)
            #expect(answer.json["refresh_token"] == nil)
            let user = try await flow.client.get(flow.server.issuer + "/user", headers: .bearer(Tokens(answer).access))
            #expect(user.header("X-OAuth-Scopes") == "repo, gist")
        }
    }

    @Test(arguments: [("repo", 10), ("read:user", 8), ("", 8)])
    func `lists private repositories only with the scope repo`(scope: String, count: Int) async throws {
        try await Flow.run(.init(persona: .gitHub, delays: .init(), repositoryCount: 10)) { flow in
            let app = flow.server.clients[1]
            let tokens = Tokens(try await flow.exchange(try await flow.code(client: app, scope: scope), client: app))
            let list = try await flow.client.get(flow.server.issuer + "/user/repos", headers: .bearer(tokens.access))
            #expect(list.json.array?.count == count)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var changes: [String: String] = [:]
        let error: String
    }

    @Test(arguments: [
        Refused(testDescription: "TR02 unknown code", changes: ["code": "made-up"], error: "bad_verification_code"),
        Refused(testDescription: "TR02 wrong verifier", changes: ["code_verifier": "wrong"], error: "bad_verification_code"),
        Refused(
            testDescription: "TR02 another redirect URI", changes: ["redirect_uri": "authhub://callback"], error: "redirect_uri_mismatch"),
        Refused(
            testDescription: "TR02 invalid refresh token", changes: ["grant_type": "refresh_token", "refresh_token": "ghr_made-up"],
            error: "bad_refresh_token"),
        Refused(testDescription: "TR02 password grant", changes: ["grant_type": "password"], error: "unsupported_grant_type"),
    ])
    func `errors have status 200, GitHub's own codes and a URL that explains them`(row: Refused) async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let answer = try await flow.exchange(try await flow.code(), changing: row.changes, headers: [:])
            #expect(answer.status == 200)
            #expect(answer.form["error"] == row.error)
            #expect(answer.form["error_description"]?.isEmpty == false)
            #expect(answer.form["error_uri"]?.hasPrefix("https://docs.github.com/") == true)
            #expect(answer.form["access_token"] == nil)
        }
    }

    @Test func `requires the secret despite PKCE`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let form: FormParameters = [
                "client_id": flow.server.clients[0].id, "code": try await flow.code(), "redirect_uri": Flow.redirectURI,
                "code_verifier": Flow.verifier,
            ]
            let answer = try await flow.client.post(flow.server.tokenEndpoint, form: form)
            #expect(answer.status == 200)
            #expect(answer.form["error"] == "incorrect_client_credentials")
        }
    }

    @Test func `there is no metadata, the redirect URI is optional, and the response names no issuer`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            for path in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] {
                #expect(try await flow.client.get(flow.server.issuer + path).status == 404)
            }
            let back = try await flow.person().visit(flow.authorizationPath(changing: ["redirect_uri": nil, "response_type": nil]))
            #expect(back.header("Location")?.hasPrefix(flow.server.clients[0].redirectURIs[0] + "?code=") == true)
            #expect(back.redirectParameters["iss"] == flow.server.issuer + "/login/oauth")
        }
    }

    @Test func `an error has GitHub's description and URL`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let back = try await flow.person().visit(flow.authorizationPath(), decision: "cancel")
            #expect(back.redirectParameters["error"] == "access_denied")
            #expect(back.redirectParameters["error_uri"]?.hasSuffix("#access-denied") == true)
            #expect(back.redirectParameters["state"] == "a state")
        }
    }

    struct Revocation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: String
        let refreshStillWorks: Bool
    }

    @Test(arguments: [
        Revocation(testDescription: "revokes a single token", path: "token", refreshStillWorks: true),
        Revocation(testDescription: "revokes a grant with all its tokens", path: "grant", refreshStillWorks: false),
    ])
    func `DELETE with the client's credentials revokes tokens`(row: Revocation) async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let app = flow.server.clients[0]
            let tokens = try await flow.tokens()
            let url = "\(flow.server.issuer)/applications/\(app.id)/\(row.path)"
            func delete(_ body: String, secret: String? = nil) async throws -> Int {
                try await flow.client.send(
                    .DELETE, url, headers: .basic(app.id, secret ?? app.secret?.reveal() ?? ""), body: body
                ).status
            }
            let body = "{\"access_token\":\"\(tokens.access)\"}"
            #expect(try await delete(body, secret: "wrong") == 401)
            #expect(try await delete("{}") == 422)
            #expect(try await delete("{\"access_token\":\"ghu_unknown\"}") == 404)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 200)
            #expect(try await delete(body) == 204)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 401)
            #expect(try await delete(body) == 404)
            #expect(flow.server.log.revocations == 1)
            let refreshed = try await flow.refresh(tokens.refresh)
            #expect((refreshed.json["access_token"] != nil) == row.refreshStillWorks)
        }
    }
}
