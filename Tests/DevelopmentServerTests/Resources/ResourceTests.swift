import AuthHubPrimitives
import DevelopmentServer
import Testing

@Suite struct ResourceTests {
    struct Listing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: String
        let count: Int
        let links: [String]
    }

    @Test(arguments: [
        Listing(testDescription: "the first of two pages", query: "", count: 30, links: ["next 2", "last 2"]),
        Listing(testDescription: "the last of two pages", query: "?page=2", count: 27, links: ["prev 1", "first 1"]),
        Listing(
            testDescription: "a middle page", query: "?per_page=10&page=3", count: 10,
            links: ["prev 2", "next 4", "last 6", "first 1"]),
        Listing(testDescription: "all on one page", query: "?per_page=100", count: 57, links: []),
        Listing(testDescription: "more than 100 is 100", query: "?per_page=5000", count: 57, links: []),
        Listing(testDescription: "beyond the end", query: "?page=9", count: 0, links: ["prev 2", "first 1"]),
        Listing(testDescription: "invalid values are ignored", query: "?page=x&per_page=0", count: 30, links: ["next 2", "last 2"]),
    ])
    func `repositories have pages with links to the others`(row: Listing) async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let token = try await flow.tokens().access
            let answer = try await flow.client.get(flow.server.issuer + "/user/repos" + row.query, headers: .bearer(token))
            #expect(answer.status == 200)
            #expect(answer.json.array?.count == row.count)
            let links = (answer.header("Link") ?? "").split(separator: ", ").map { link in
                let parts = link.split(separator: "; ")
                #expect(parts[0].hasPrefix("<\(flow.server.issuer)/user/repos?"))
                let page = parts[0].split { $0 == "?" || $0 == "&" || $0 == ">" }.last { $0.hasPrefix("page=") } ?? ""
                return "\(parts[1].dropFirst(5).dropLast()) \(page.dropFirst(5))"
            }
            #expect(links == row.links)
        }
    }

    @Test func `a repository has the members that a list of repositories shows`() async throws {
        try await Flow.run(.init(persona: .gitHub, delays: .init(), repositoryCount: 3)) { flow in
            let token = try await flow.tokens().access
            let answer = try await flow.client.get(flow.server.issuer + "/user/repos", headers: .bearer(token))
            let repository = answer.json.array?.first
            #expect(repository?["full_name"] == "octocat/Hello-World")
            #expect(repository?["owner"]?["login"] == "octocat")
            #expect(repository?["private"] == false)
            #expect(repository?["pushed_at"]?.string?.hasSuffix("Z") == true)
            for name in ["id", "name", "description", "language", "stargazers_count", "html_url", "updated_at"] {
                #expect(repository?[name] != nil)
            }
        }
    }

    @Test(arguments: [(Persona.google, "/v1/userinfo"), (.linkedIn, "/v2/userinfo")])
    func `the account's endpoint of Google and LinkedIn returns claims`(persona: Persona, path: String) async throws {
        try await Flow.run(.init(persona: persona)) { flow in
            let client = try #require(flow.server.clients.first { $0.secret != nil })
            let changes: [String: String?] =
                persona.authorization.codeChallenge == .refused ? ["code_challenge": nil, "code_challenge_method": nil] : [:]
            var form: FormParameters = [
                "grant_type": "authorization_code", "code": try await flow.code(client: client, changing: changes),
                "redirect_uri": Flow.redirectURI,
            ]
            if changes.isEmpty { form.append("code_verifier", Flow.verifier) }
            let token = Tokens(try await flow.token(form, client: client)).access
            let claims = try await flow.client.get(flow.server.issuer + path, headers: .bearer(token)).json
            #expect(claims["sub"]?.string?.isEmpty == false, "\(claims)")
            #expect(claims["preferred_username"] == "octocat")
            #expect(claims["email"]?.string != nil)
        }
    }

    @Test(arguments: [Persona.gitHub, .gitHubEnterprise])
    func `serves GitHub's API at the path of a self-hosted server, too`(persona: Persona) async throws {
        try await Flow.run(.init(persona: persona, delays: .init(), repositoryCount: 40)) { flow in
            let token = try await flow.tokens().access
            let api = flow.server.issuer + "/api/v3"
            #expect(try await flow.client.get(api + "/user", headers: .bearer(token)).json["login"] == "octocat")
            let page = try await flow.client.get(api + "/user/repos", headers: .bearer(token))
            #expect(page.json.array?.count == 30)
            #expect(page.header("Link")?.hasPrefix("<\(api)/user/repos?page=2") == true)
        }
    }

    @Test func `every user has a picture, which needs no token`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let token = try await flow.tokens().access
            let user = try await flow.client.get(flow.server.issuer + "/user", headers: .bearer(token))
            let picture = try await flow.client.get(try #require(user.json["avatar_url"]?.string))
            #expect(picture.status == 200)
            #expect(picture.header("Content-Type") == "image/png")
            #expect(picture.text.contains("PNG") && picture.text.contains("IEND"))
            #expect(try await flow.client.get(flow.server.issuer + "/avatars/nobody").status == 404)
        }
    }

    @Test func `GitHub rejects requests without a User-Agent, and its 401 has no authentication scheme`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let url = flow.server.issuer + "/user"
            #expect(try await flow.client.get(url, headers: ["User-Agent": ""]).status == 403)
            let refused = try await flow.client.get(url, headers: .bearer("ghu_unknown"))
            #expect(refused.status == 401)
            #expect(refused.json["message"] == "Bad credentials")
            #expect(refused.header("WWW-Authenticate") == nil)
            let legacy = try await flow.client.get(url, headers: ["Authorization": "token \(try await flow.tokens().access)"])
            #expect(legacy.json["login"] == "octocat")
        }
    }

    @Test func `an OpenID provider's challenge contains the reason and the URL of the metadata`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let bare = try await flow.client.get(flow.server.issuer + "/user")
            #expect(bare.status == 401)
            #expect(bare.header("WWW-Authenticate")?.contains("error=") == false)
            let refused = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer("unknown"))
            #expect(refused.status == 401)
            #expect(refused.header("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
            let metadata = try await flow.client.get(flow.server.issuer + "/.well-known/oauth-protected-resource")
            #expect(refused.header("WWW-Authenticate")?.contains("resource_metadata=\"\(flow.server.issuer)/.well-known/") == true)
            #expect(metadata.json["authorization_servers"]?.array == [.string(flow.server.issuer)])
        }
    }

    @Test func `userinfo contains what the scope allows and needs the scope openid`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            func userInfo(_ scope: String) async throws -> RawClient.Response {
                try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(try await flow.tokens(scope: scope).access))
            }
            let full = try await userInfo("openid profile email")
            #expect(full.json["sub"] == "583231")
            #expect(full.json["preferred_username"] == "octocat")
            #expect(full.json["email"] == "octocat@example.com")
            #expect(try await userInfo("openid").json.object?.members.map(\.name) == ["sub"])
            let without = try await userInfo("profile")
            #expect(without.status == 403)
            #expect(without.header("WWW-Authenticate")?.contains("error=\"insufficient_scope\"") == true)
        }
    }
}
