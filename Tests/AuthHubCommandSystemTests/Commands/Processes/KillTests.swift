import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import Testing

struct KillTests {
    private static let kills = 200

    /// The seed of the run; set `AUTHHUB_TEST_SEED` to repeat a run.
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["AUTHHUB_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    }

    /// If a response is lost with the killed process, the grant may be revoked, because the server then receives the old refresh token a
    /// second time. The store must still contain a complete credential, or none.
    @Test(.timeLimit(.minutes(60)))
    func `case 21: whenever the tool is killed, the store opens and holds a complete credential or none`() async throws {
        let seed = Self.seed
        print("kill test: AUTHHUB_TEST_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        try await Tool.using { tool in
            let login = try tool.loginWords()
            // The estimated duration of each command. The test adjusts it after each run, so that most commands are killed while they are
            // still running.
            var lengths = ["login": 0.3, "refresh": 0.15, "logout": 0.15]
            var killed: [String: Int] = [:]
            var isSignedIn = false
            while killed.values.reduce(0, +) < Self.kills {
                let words = isSignedIn ? [["refresh"], ["refresh"], login, ["logout"]].randomElement(using: &random) ?? login : login
                let process = try tool.start(words)
                let length = lengths[words[0]] ?? 0.2
                try await Task.sleep(for: .seconds(length * Double.random(in: 0...1, using: &random)))  // the random moment of the kill
                process.send(SIGKILL)
                if case .signal(SIGKILL) = await process.end().ending {
                    killed[words[0], default: 0] += 1
                    lengths[words[0]] = length * 1.03
                } else {
                    lengths[words[0]] = length * 0.8
                }
                let status = try await tool.run("status", "-o", "json")
                #expect(status.status == 0 || status.status == 4, "after \(words[0]), seed \(seed): \(status.errorText)")
                isSignedIn = try status.json()["signed_in"] == true
                let inventory = try await tool.store.inventory()
                #expect(inventory.unreadable.isEmpty)
                #expect(inventory.accounts.count <= 1)
            }
            print("kill test: \(killed), \(tool.server.log.reuseDetected) answers lost")
            let files = try tool.folder.files(in: "/store")
            #expect(files.count < 20, "\(files)")
            #expect(try await tool.run(login).status == 0)
            #expect(try await tool.run("whoami").status == 0)
        }
    }
}
