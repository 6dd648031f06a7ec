import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

struct ServeTests {
    @Test(arguments: ["github", "oidc"], [SIGINT, SIGTERM])
    func `a server describes how to use it in one line of JSON, and shuts down cleanly`(persona: String, signal: Int32) async throws {
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

    @Test func `a server tells the user how to sign in`() async throws {
        try await Tool.using { tool in
            let server = try tool.start(["serve", "--persona", "oidc"])
            let notice = await server.wait { $0.text.contains("sign in") && $0.text.hasSuffix("\n") }.text
            #expect(notice.contains("authhub login http://127.0.0.1:"))
            #expect(notice.contains("octocat, password octocat-password"))
            server.send(SIGINT)
            #expect(await server.end().status == 0)
        }
    }

    @Test func `each built-in provider and each persona can be served by name`() {
        let names = PersonaChoice.allValueStrings
        #expect(names == (ProviderProfile.builtIn.map(\.name) + ["mcp", "oidc"]).sorted())
        let served = names.compactMap { PersonaChoice(argument: $0)?.persona }
        #expect(served.count == names.count)
        #expect(Set(served.map(\.name)) == Set(Persona.known.map(\.name)))
        #expect(PersonaChoice(argument: "openid") == nil)
    }

    @Test func `the help of serve and the error for an unknown persona list all names`() async throws {
        try await Tool.using { tool in
            let help = try await tool.run("serve", "--help").text
            let error = try await tool.run("serve", "--persona", "gitlub").errorText
            for name in PersonaChoice.allValueStrings {
                #expect(help.contains(name) && error.contains(name), "\(name)")
            }
        }
    }

    @Test(arguments: ["spotify", "microsoft", "gitlab", "mastodon", "github", "github-app", "github-enterprise", "apple", "twitch"])
    func `the command that a server prints for a provider signs in to it`(persona: String) async throws {
        try await Tool.using { tool in
            let server = try tool.start(["serve", "--persona", persona])
            let notice = await server.wait { $0.text.contains("sign in") && $0.text.hasSuffix("\n") }.text
            let lines = notice.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            let words = lines.last.map { Array($0.dropFirst(3)) } ?? []
            let client = words.firstIndex(of: "--client-id").map { words[$0 + 1] } ?? ""
            let secret = lines.drop { $0.dropFirst().first != client }.dropFirst().first?.first ?? ""
            let login = try await tool.run(words + ["--headless", "--user", Tool.user], input: secret)
            #expect(login.status == 0, "\(login.errorText)")
            let person = try await tool.run("whoami", "-o", "json")
            if persona.hasPrefix("github") {
                #expect(try person.json()["login"] == "octocat")
            } else if ["microsoft", "gitlab", "apple", "twitch"].contains(persona) {
                #expect(try person.json()["verified"] == true)
            } else {
                let error = try person.errorJSON()
                #expect(error["code"] == "not_offered")
                let hint = error["hint"]?.string?.split { $0 == " " || $0 == "'" }.map(String.init) ?? []
                let request = hint.first { $0.hasPrefix("http://127.0.0.1:") } ?? ""
                #expect(try await tool.run("request", "GET", request).text.contains("octocat"))
            }
            server.send(SIGINT)
            #expect(await server.end().status == 0)
        }
    }

    @Test func `lists the faults for people and for programs`() async throws {
        try await Tool.using { tool in
            let list = try await tool.run("serve", "--fault", "list", "-o", "json").json().array ?? []
            #expect(list.count == FaultPersona.all.count && list.allSatisfy { $0["id"]?.string != nil && $0["description"]?.string != nil })
            #expect(try await tool.run("serve", "--fault", "list").text.contains("AR02-no-state"))
        }
    }

    @Test(arguments: [("github", "ID36-other"), ("anilist", "DD02-other"), ("github-app", "RG01-ok")])
    func `refuses a provider that cannot have the fault`(persona: String, fault: String) async throws {
        try await Tool.using { tool in
            let output = try await tool.run("serve", "--persona", persona, "--fault", fault)
            #expect(output.status == 64)
            #expect(output.errorText.contains(fault) && output.errorText.contains("leave out --persona"), "\(output.errorText)")
        }
    }

    @Test func `reports a port that is in use`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("serve", "--port", String(tool.server.port))
            #expect(output.status == 1)
            #expect(output.errorText.contains("Address already in use; choose another port"))
            #expect(output.errorText.contains("--port 0"))
        }
    }
}
