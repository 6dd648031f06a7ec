import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct CanaryTests {
    @Test func `case 36: no secret of a whole run appears in output, arguments or files`() async throws {
        try await Tool.using { tool in
            var outputs: [ChildProcess.Output] = []
            var secrets: Set<String> = [Tool.password, try tool.app().secret?.reveal() ?? ""]
            var arguments: [[UInt8]] = []
            for words in [try tool.loginWords(), ["refresh"], try tool.loginWords()] {
                let process = try tool.start(words)
                #if os(Linux)
                _ = await process.wait { !$0.standardError.isEmpty }
                arguments.append((try? Data(contentsOf: URL(filePath: "/proc/\(process.processID)/cmdline"))).map(Array.init) ?? [])
                #endif
                outputs.append(await process.end())
                let credential = try tool.storedCredential()
                secrets.formUnion([credential["access_token"], credential["refresh_token"]].compactMap { $0?.string })
            }
            for words in [
                ["status"], ["status", "-o", "json"], ["accounts"], ["accounts", "-o", "json"], ["accounts", "rename", "default", "x"],
                ["accounts", "rename", "x", "default", "-o", "json"], ["whoami"], ["repos"], ["repos", "-o", "json"],
                ["token", "--frobnicate"],
            ] {
                outputs.append(try await tool.run(words))
            }
            tool.server.faults.nextTokenResponse(.oauthError("invalid_grant"))
            outputs.append(try await tool.run("refresh", "-o", "json"))
            outputs.append(try await tool.run("logout"))
            #expect(secrets.count == 8)
            #expect(outputs.allSatisfy { $0.status != nil })
            let files = try tool.folder.files().filter { !$0.hasSuffix("/client-secret") }.map {
                try Array(Data(contentsOf: URL(filePath: $0)))
            }
            #expect(!files.isEmpty)
            for secret in secrets {
                let canary = Array(secret.utf8)
                for output in outputs {
                    #expect(output.standardOutput.firstRange(of: canary) == nil)
                    #expect(output.standardError.firstRange(of: canary) == nil)
                }
                #expect((files + arguments).allSatisfy { $0.firstRange(of: canary) == nil })
            }
        }
    }
}
