import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The files with secrets that options, settings and variables name: no other user may have written them.
struct SecretFileTests {
    /// Runs a command that reads a secret, with each mode of the secret's file.
    private func check(_ path: String, of tool: Tool, _ words: [String], status: Int32 = 0, refusal: Int32 = 64) async throws {
        for mode: mode_t in [0o622, 0o604, 0o600] {
            #expect(chmod(path, mode) == 0)
            let output = try await tool.run(words)
            let warnings = output.errorText.split(separator: "\n").filter {
                $0 == "warning: other users may read \(path) (mode 604); run: chmod 600 \(path)"
            }
            if mode == 0o622 {
                #expect(output.status == refusal && output.text.isEmpty, "\(output.errorText)")
                #expect(output.errorText.contains("other users may write to \(path) (mode 622)"), "\(output.errorText)")
                #expect(output.errorText.contains("chmod 600 \(path)"), "\(output.errorText)")
            } else {
                #expect(output.status == status, "\(String(mode, radix: 8)): \(output.errorText)")
                #expect(warnings.count == (mode == 0o604 ? 1 : 0), "\(output.errorText)")
            }
        }
    }

    @Test func `checks the file of a client's private key`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            let (words, _, _) = try await tool.registerMachine()
            try await check("\(tool.folder.path)/key.json", of: tool, ["login", tool.resource, "--flow", "client-credentials"] + words)
        }
    }

    @Test func `checks the client secret that a settings file names`() async throws {
        try await Tool.using(provider: "spotify") { tool in
            let file = try tool.settingsFile(for: "spotify")
            let words = ["login", "--settings", file, "--headless", "--user", Tool.user]
            try await check("\(tool.folder.path)/client-secret", of: tool, words)
        }
    }

    @Test func `checks the file of a token`() async throws {
        try await Tool.using { tool in
            let path = try tool.folder.write("\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).e30.", to: "token")
            try await check(path, of: tool, ["jwt", "inspect", path], status: 1)
        }
    }

    @Test func `checks the file of an archive's passphrase`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let path = try tool.folder.write("correct horse\n", to: "passphrase")
            let archive = "\(tool.folder.path)/archive"
            #expect(try await tool.run("store", "export", archive, "--passphrase-file", path).status == 0)
            try await check(path, of: tool, ["store", "import", archive, "--passphrase-file", path])
        }
    }

    /// The owner of a pipe does not matter. A link is checked as its target.
    @Test(arguments: ["<(cat token)", "/dev/fd/3 3<token", "- <token", "/dev/stdin <token", "fifo", "link", "/dev/fd/0 < <(cat token)"])
    func `reads secrets from pipes, descriptors and links without a warning`(place: String) async throws {
        try await Tool.using { tool in
            _ = try tool.folder.write("\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).e30.\n", to: "token")
            let script = """
                ln -s token link; mkfifo -m 600 fifo; (exec cat token >fifo) 2>/dev/null & writer=$!
                "$0" jwt inspect \(place); status=$?; kill $writer; exit $status
                """
            let output = try await ChildProcess(
                "/bin/bash", ["-c", "cd '\(tool.folder.path)'; \(script)", Tool.path], environment: tool.environment
            ).end()
            #expect(output.text.hasPrefix("Not verified:") && output.status == 1, "\(output.text) \(output.errorText)")
            #expect(!output.errorText.contains("warning"), "\(output.errorText)")
        }
    }

    @Test func `rejects a settings file that all users may write to, but accepts such a request body`() async throws {
        try await Tool.using { tool in
            for (mode, isRefused) in [(0o666, true), (0o664, false)] {
                let path = try tool.folder.write(
                    #"{"provider": "github-app", "place": "http://127.0.0.1:1", "client_id": "id"}"#, to: "settings-\(mode).json",
                    permissions: mode)
                let output = try await tool.run("login", "--settings", path)
                #expect(
                    output.status == 64 && output.errorText.contains("all users may write to \(path)") == isRefused, "\(output.errorText)")
            }
            let body = try tool.folder.write("{}", to: "body.json", permissions: 0o666)
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let url = tool.server.issuer + "/user"
            let request = try await tool.run("request", "POST", url, "--data", "@\(body)", "--allow-insecure-loopback")
            #expect(tool.server.log.entries.contains { $0.method == "POST" && $0.path == "/user" }, "\(request.errorText)")
            #expect(!request.errorText.contains("users may write"), "\(request.errorText)")
        }
    }
}
