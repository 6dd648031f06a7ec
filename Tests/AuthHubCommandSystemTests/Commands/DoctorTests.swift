import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct DoctorTests {
    private static func findings(_ output: ChildProcess.Output) throws -> [String: JSONValue] {
        let list = try output.json()["checks"]?.array ?? []
        return Dictionary(list.map { ($0["check"]?.string ?? "", $0) }) { first, _ in first }
    }

    @Test func `checks everything, and asks only the servers of the accounts and named ones`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let before = tool.server.log.entries.count
            let output = try await tool.run("doctor", "-o", "json")
            #expect(output.status == 0, "\(output.errorText)\(output.text)")
            let findings = try Self.findings(output)
            let checks: Set = [
                "program", "git", "browser", "display", "message bus", "keyring", "store", "key", "proxy", "certificates", "loopback",
                "server",
            ]
            #expect(Set(findings.keys) == checks)
            for check in ["store", "key", "proxy", "certificates", "loopback", "server"] {
                #expect(findings[check]?["state"] == "ok", "\(check): \(output.text)")
            }
            #expect(findings["server"]?["text"]?.string?.contains("\(tool.server.issuer) responds") == true)
            let requests = tool.server.log.entries.dropFirst(before)
            #expect(requests.count == 1)
            let shown = try await tool.run("doctor")
            #expect(shown.text.contains("ok    store         file in \(tool.folder.path)"), "\(shown.text)")
        }
    }

    @Test func `a store that cannot be written fails, although it can be read`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let before = try tool.storedCredential("default")
            let script = "trap '' XFSZ; ulimit -f 0; exec \(Tool.path) doctor -o json"
            let output = try await tool.start(["-c", script], at: "/bin/sh").end()
            let finding = try Self.findings(output)["store"]
            #expect(output.status == 1 && finding?["state"] == "fail", "\(output.text)")
            #expect(finding?["next"] == "authhub store test")
            #expect(try tool.storedCredential("default") == before)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        let check: String
        var state = "fail"
        let next: String
    }

    @Test(arguments: [
        Row(testDescription: "not in PATH", environment: ["PATH": "/usr/bin:/bin"], check: "program", state: "warn", next: "export PATH"),
        Row(
            testDescription: "a browser that is not installed", environment: ["AUTHHUB_BROWSER": "/nowhere"], check: "browser",
            next: "unset AUTHHUB_BROWSER"),
        Row(testDescription: "no display", environment: ["DISPLAY": ":4711"], check: "display", next: "unset DISPLAY"),
        Row(
            testDescription: "no bus", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"], check: "message bus",
            next: "unset DBUS_SESSION_BUS_ADDRESS"),
        Row(
            testDescription: "no keyring", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"], check: "keyring",
            state: "warn", next: "authhub store info"),
        Row(
            testDescription: "plain files", environment: ["AUTHHUB_STORE": "plain"], check: "store", state: "warn",
            next: "authhub store migrate"),
        Row(testDescription: "a bad proxy", environment: ["HTTPS_PROXY": "canary"], check: "proxy", next: "unset HTTPS_PROXY"),
        Row(testDescription: "a dead proxy", environment: ["HTTPS_PROXY": "http://proxy.invalid:1"], check: "proxy", next: "env"),
        Row(testDescription: "no CA", environment: ["SSL_CERT_FILE": "/nowhere"], check: "certificates", next: "unset SSL_CERT_FILE"),
    ])
    func `a problem is found, with the command to type next`(row: Row) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            tool.environment.merge(row.environment) { $1 }
            let output = try await tool.runInTurn(["doctor", "-o", "json"])
            let finding = try Self.findings(output)[row.check]
            #expect(finding?["state"]?.string == row.state, "\(output.text)")
            #expect(finding?["next"]?.string?.hasPrefix(row.next) == true, "\(output.text)")
            #expect(row.state != "fail" || output.status == 1, "\(output.errorText)")
            #expect(!output.text.contains("canary"))
        }
    }

    @Test func `a missing key, a helper that is gone and a stopped server are found`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let file = try tool.folder.write("[credential]\n\thelper = /nowhere/authhub helper git\n", to: "gitconfig")
            tool.environment["GIT_CONFIG_GLOBAL"] = file
            let stopped = try await tool.run("doctor", "http://127.0.0.1:1", "-o", "json")
            #expect(stopped.status == 1)
            #expect(try Self.findings(stopped)["server"]?["state"] == "fail", "\(stopped.text)")
            #expect(try Self.findings(stopped)["git"]?["next"] == "authhub setup git --write", "\(stopped.text)")
            try FileManager.default.removeItem(atPath: "\(tool.folder.path)/store/credentials.key")
            let keyless = try await tool.run("doctor", "-o", "json")
            #expect(try Self.findings(keyless)["key"]?["state"] == "fail", "\(keyless.text)")
        }
    }

    @Test func `a server that is not named by an https URL is not asked`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let output = try await tool.run("doctor", "http://as.example")
            #expect(output.status == 64 && output.errorText.contains("is not the https URL"), "\(output.errorText)")
        }
    }
}
