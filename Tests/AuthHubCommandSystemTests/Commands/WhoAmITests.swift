@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct WhoAmITests {
    @Test func `RS17: does not ask a userinfo endpoint that must not get the token who is signed in`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
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
            #expect(tool.server.log.requests(path: "/userinfo") == 0)
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

    @Test(arguments: [#"{"sub":""}"#, #"{"sub":"somebody","error":"invalid_token"}"#, "somebody"])
    func `RS18: ignores a userinfo response without a subject, or with an error`(body: String) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.always(
                at: .api, .answer(body: body))
            let output = try await tool.run("whoami", "-o", "json")
            #expect(output.text.isEmpty && output.status == 1)
            #expect(try output.errorJSON()["code"] == "server_misbehaved", "\(output.errorText)")
        }
    }
}
