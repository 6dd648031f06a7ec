import AuthHubPrimitives
import DevelopmentServer
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

struct ServeTests {
    @Test(arguments: ["github", "oidc"], [SIGINT, SIGTERM])
    func `a server says in one line of JSON all that is needed to use it, and ends in order`(persona: String, signal: Int32) async throws {
        try await Tool.using { tool in
            let users = try tool.folder.write(#"[{"login": "hubot", "password": "hubot-password"}]"#, to: "users.json")
            let server = try tool.start(["serve", "--persona", persona, "--users", users, "-o", "json"])
            let line = await server.wait { $0.standardOutput.contains(UInt8(ascii: "\n")) }
            let description = try line.json()
            #expect(description["issuer"]?.string?.hasPrefix("http://127.0.0.1:") == true)
            #expect(description["clients"]?["confidential"]?["client_id"] != nil)
            #expect(description["user"]?["username"] == "hubot")
            server.send(signal)
            let end = await server.end()
            #expect(end.status == 0)
            #expect(end.standardOutput == line.standardOutput)
        }
    }

    @Test func `a server tells a person how to sign in at it`() async throws {
        try await Tool.using { tool in
            let server = try tool.start(["serve", "--persona", "oidc"])
            let notice = await server.wait { $0.text.contains("sign in") && $0.text.hasSuffix("\n") }.text
            #expect(notice.contains("authhub login http://127.0.0.1:"))
            #expect(notice.contains("octocat, password octocat-password"))
            server.send(SIGINT)
            #expect(await server.end().status == 0)
        }
    }

    @Test func `a port that is taken is said to be taken`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("serve", "--port", String(tool.server.port))
            #expect(output.status == 1)
            #expect(output.errorText.contains("Address already in use. Choose another port"))
            #expect(output.errorText.contains("--port 0"))
        }
    }
}
