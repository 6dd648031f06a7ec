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
