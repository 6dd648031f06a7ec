import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

struct SharedStoreTests {
    @Test func `case 19: 8 processes that need a new token at the same time get the same one, with one refresh`() async throws {
        try await Tool.using(.init(persona: .gitHub, delays: .init(tokenEndpoint: .milliseconds(200)))) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let old = try await tool.run("token").text
            try await tool.expireStoredToken()
            let processes = try (0..<8).map { _ in try tool.start(["token"]) }
            var tokens: Set<String> = []
            for process in processes {
                let output = await process.end()
                #expect(output.status == 0, "\(output.errorText)")
                tokens.insert(output.text)
            }
            #expect(tokens.count == 1)
            #expect(!tokens.contains(old))
            #expect(tool.server.log.tokenRequests(grant: "refresh_token") == 1)
            #expect(tool.server.log.reuseDetected == 0)
        }
    }

    @Test func `forgetting an account whose settings are damaged deletes its tokens and no others`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            try await tool.replaceSettings(of: "default", with: "{}")
            let logout = try await tool.run("logout", "-o", "json")
            #expect(logout.status == 9, "no token was revoked")
            #expect(try logout.errorJSON()["code"] == "not_revoked")
            #expect(try await tool.records().map(\.label) == ["work", "work"])
        }
    }

    @Test func `distinguishes a damaged record from a missing one, and forgetting the account deletes it`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            for file in try tool.folder.files(in: "/store/credentials") where !file.contains("/locks/") { try damage(file) }
            for command in ["status", "token", "whoami", "refresh"] {
                let output = try await tool.run(command)
                #expect(output.status == 9, "\(command): \(output.errorText)")
                #expect(output.errorText.contains("authhub logout"))
            }
            #expect(try await tool.run("logout").status == 9)
            #expect(try await tool.run("status").status == 4)
            #expect(try await tool.run(tool.loginWords()).status == 0)
        }
    }

    @Test func `settings that others may read do not prevent revocation when an account is forgotten`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let files = try tool.folder.files(in: "/store/credentials").filter { !$0.contains("/locks/") }
            for file in files { #expect(chmod(file, 0o644) == 0) }
            let refused = try await tool.run("logout")
            #expect(refused.status == 9)
            #expect(refused.errorText.contains("chmod 600"))
            for file in files { #expect(chmod(file, 0o600) == 0) }
            #expect(try await tool.run("logout").status == 0)
            #expect(tool.server.log.revocations == 1)
        }
    }

    @Test func `forgetting an account whose settings are damaged leaves none of its tokens behind`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let tokens = try tool.folder.files(in: "/store/credentials").filter { !$0.contains("/locks/") }
            #expect(try await tool.run(tool.loginWords(as: "other")).status == 0)
            try await tool.replaceSettings(of: "default", with: "{}")
            #expect(try await tool.run("logout").status == 9)
            let left = try tool.folder.files(in: "/store/credentials").filter { !$0.contains("/locks/") }
            #expect(left.count == 2)
            #expect(Set(left).isDisjoint(with: tokens))
        }
    }
}
