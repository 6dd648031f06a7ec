@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct WhoAmITests {
    @Test func `RS17: sends no request to a UserInfo endpoint that must not receive the token`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let before = tool.server.log.requests(path: "/userinfo")
            tool.server.faults.always(
                at: .metadata,
                .altered([
                    .member("authorization_endpoint", "https://honest.example/authorize"),
                    .member("authorization_response_iss_parameter_supported", nil),
                ]))
            let output = try await tool.run("whoami", "-o", "json")
            #expect(output.text.isEmpty && output.status != 0)
            let failure = try output.errorJSON()
            #expect(failure["code"] == "security_check_failed")
            #expect(failure["message"]?.string?.contains(tool.server.issuer) == true)
            #expect(tool.server.log.requests(path: "/userinfo") == before)
        }
    }

    @Test func `names the scope that the token lacks`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = try tool.loginWords().map { $0 == "openid,profile,email,offline_access" ? "user" : $0 }
            #expect(try await tool.run(words).status == 0)
            let output = try await tool.run("whoami", "-o", "json")
            #expect(output.status == 3, "\(output.errorText)")
            let failure = try output.errorJSON()
            #expect(failure["code"] == "denied")
            #expect(failure["message"]?.string?.contains("the token lacks the scope openid") == true)
            #expect(failure["hint"] == "authhub login --scope user,openid")
        }
    }

    @Test(arguments: [
        (#"{"sub":""}"#, 1, "server_misbehaved"), ("somebody", 1, "server_misbehaved"),
        (#"{"sub":"583231","error":"invalid_token"}"#, 1, "server_misbehaved"),
        (#"{"sub":"somebody","error":"invalid_token"}"#, 1, "server_misbehaved"),
        (#"{"sub":"somebody"}"#, 7, "security_check_failed"),
    ])
    func `RS18: ignores a userinfo response without a subject, with an error, or about another user`(
        body: String, status: Int32, code: String
    ) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.always(at: .api, .answer(body: body))
            let output = try await tool.run("whoami", "-o", "json")
            #expect(output.text.isEmpty && output.status == status)
            #expect(try output.errorJSON()["code"]?.string == code, "\(output.errorText)")
        }
    }

    @Test func `RS18: without an ID token, ignores a userinfo response with an error`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = try tool.loginWords().map { $0 == "openid,profile,email,offline_access" ? "user" : $0 }
            #expect(try await tool.run(words).status == 0)
            tool.server.faults.always(at: .api, .answer(body: #"{"sub":"somebody","error":"invalid_token"}"#))
            let output = try await tool.run("whoami", "-o", "json")
            #expect(output.text.isEmpty && output.status == 1)
            #expect(try output.errorJSON()["code"] == "server_misbehaved", "\(output.errorText)")
            tool.server.faults.always(at: .api, .answer(body: #"{"sub":"somebody","name":"Some Body"}"#))
            let person = try await tool.run("whoami", "-o", "json").json()
            #expect(person["id"] == "somebody" && person["verified"] == false && person["issuer"] == .null)
            let claims = try await tool.run("whoami", "--claims")
            #expect(claims.text == "sub   somebody\nname  Some Body\n")
            #expect(claims.errorText.contains("warning: there is no ID token that verifies these claims"))
        }
    }

    @Test func `shows the verified claims, completed by those of the UserInfo endpoint`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let person = try await tool.run("whoami", "-o", "json").json()
            #expect(person["verified"] == true)
            #expect(person["issuer"]?.string == tool.server.issuer)
            #expect(person["id"] == "583231" && person["login"] == "octocat")
            #expect(person["claims"] == nil)
            let text = try await tool.run("whoami").text
            #expect(text == "octocat  The Octocat, octocat@example.com\nidentity verified: user ID 583231 at \(tool.server.issuer)\n")
            let claims = try await tool.run("whoami", "--claims", "-o", "json").json()["claims"]
            #expect(claims?["iss"]?.string == tool.server.issuer)
            #expect(claims?["sub"] == "583231" && claims?["email_verified"] == true)
            let lines = try await tool.run("whoami", "--claims").text.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("exp ") && $0.contains("in 60 min") })
            #expect(lines.contains { $0.hasPrefix("preferred_username ") && $0.hasSuffix("  octocat") })
        }
    }

    @Test func `a userinfo response cannot replace the claims about the ID token, or control the terminal`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let body = #"{"sub":"583231","iss":"https://evil.example","name":"a\u001b[2J\nidentity verified: x"}"#
            tool.server.faults.always(at: .api, .answer(body: body))
            let person = try await tool.run("whoami", "--claims", "-o", "json").json()
            #expect(person["issuer"]?.string == tool.server.issuer)
            #expect(person["claims"]?["iss"]?.string == tool.server.issuer)
            for words in [["whoami"], ["whoami", "--claims"]] {
                let text = try await tool.run(words).text
                #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
                #expect(text.contains("a\\u001b[2J\\u000aidentity verified: x"))
            }
        }
    }

    @Test func `uses the UserInfo endpoint of a provider that a settings file describes`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            let file = try tool.folder.write(
                """
                {
                  "provider": {
                    "name": "example", "issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize",
                    "token_endpoint": "\(issuer)/token", "userinfo_endpoint": "\(issuer)/userinfo", "id_token_may_be_missing": true
                  },
                  "client_id": "native-app", "scopes": ["openid", "profile"], "allow_insecure_loopback_for_development": true
                }
                """, to: "settings.json")
            let login = try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user)
            #expect(login.status == 0, "\(login.errorText)")
            let person = try await tool.run("whoami", "-o", "json")
            #expect(person.status == 0, "\(person.errorText)")
            #expect(try person.json()["id"] == "583231" && person.json()["login"] == "octocat")
        }
    }

    @Test func `a provider with its own format has no claims`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let person = try await tool.run("whoami", "-o", "json").json()
            #expect(person["verified"] == false && person["issuer"] == .null)
            let output = try await tool.run("whoami", "--claims", "-o", "json")
            #expect(output.status == 1)
            #expect(try output.errorJSON()["code"] == "not_offered")
        }
    }
}
