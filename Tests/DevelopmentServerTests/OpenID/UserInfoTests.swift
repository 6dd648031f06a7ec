import AuthHubPrimitives
import Testing

@testable import DevelopmentServer

@Suite struct UserInfoTests {
    @Test func `returns the claims of the scopes as JSON`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let tokens = try await flow.tokens(scope: "openid profile email")
            let answer = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(tokens.access))
            #expect(answer.header("Content-Type")?.hasPrefix("application/json") == true)
            #expect(
                answer.json["sub"] == "583231" && answer.json["name"] == "The Octocat" && answer.json["preferred_username"] == "octocat")
            #expect(answer.json["picture"]?.string == "\(flow.server.issuer)/avatars/583231")
            #expect(answer.json["email"] == "octocat@example.com" && answer.json["email_verified"] == true)
            #expect(flow.server.log.userInfoRequests == 1)
        }
    }

    @Test func `returns a signed token with iss and aud if the client registered one, or if the quirks say so`() async throws {
        var clients = DevelopmentClient.examples(for: .openID)
        clients[0].userInfoAlgorithm = .rs256
        try await Flow.run(.init(persona: .openID, clients: clients)) { flow in
            func userInfo(_ client: DevelopmentClient) async throws -> RawClient.Response {
                let tokens = try await flow.tokens(client: client)
                return try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(tokens.access))
            }
            let answer = try await userInfo(clients[0])
            #expect(answer.header("Content-Type") == "application/jwt")
            let token = try #require(SignedToken(answer.text))
            #expect(token.isSigned(byKeyIn: try await flow.client.get(flow.server.issuer + "/jwks").json))
            #expect(token.header["alg"] == "RS256")
            #expect(token.claims["iss"]?.string == flow.server.issuer && token.claims["aud"] == "native-app")
            #expect(token.claims["sub"] == "583231" && token.claims["email"] == "octocat@example.com")
            #expect(try await userInfo(clients[1]).json["sub"] == "583231")

            flow.server.changeOpenIDConnect { $0.userInfo = .signed(.es256) }
            #expect(SignedToken(try await userInfo(clients[1]).text)?.claims["aud"] == "web-app")
            flow.server.changeOpenIDConnect { $0.userInfo = .json }
            #expect(try await userInfo(clients[0]).json["sub"] == "583231")
        }
    }

    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let place: Persona.OpenIDQuirks.UserInfoToken
        let header: Int
        let body: Int
    }

    @Test(arguments: [
        Place(testDescription: "header or body", place: .headerOrBody, header: 200, body: 200),
        Place(testDescription: "header", place: .header, header: 200, body: 401),
        Place(testDescription: "body", place: .body, header: 401, body: 200),
    ])
    func `accepts the access token in the header and in a form, but never in the query`(row: Place) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let address = flow.server.issuer + "/userinfo"
            let token = try await flow.tokens().access
            flow.server.changeOpenIDConnect { $0.userInfoToken = row.place }
            #expect(try await flow.client.get(address, headers: .bearer(token)).status == row.header)
            #expect(try await flow.client.post(address, form: ["access_token": token]).status == row.body)
            #expect(try await flow.client.get(address + "?access_token=" + token).status == 401)
            #expect(flow.server.log.entries.suffix(2).map(\.formNames) == [["access_token"], []])
        }
    }
}
