import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool as git's credential helper, with requests as git writes them. `Scripts/proofs/git` runs git itself.
struct HelperGitTests {
    private func get(_ tool: Tool, _ more: String = "", words: [String] = []) async throws -> ChildProcess.Output {
        try await tool.run(["helper", "git"] + words + ["get"], input: tool.gitRequest(more))
    }

    @Test func `answers for the account's server, and refreshes a token that has expired`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token").text
            let first = try await get(tool)
            #expect(first.status == 0 && first.errorText.isEmpty, "\(first.errorText)")
            #expect(first.text.hasPrefix("username=x-access-token\npassword=\(token)password_expiry_utc="))
            try await tool.expireStoredToken()
            let second = try await get(tool)
            #expect(second.status == 0 && second.errorText.isEmpty, "\(second.errorText)")
            #expect(!second.text.contains(token) && second.text.contains("password="))
            #expect(try await second.text.contains("password=\(tool.run("token").text)"))
        }
    }

    @Test func `50 calls with a token that has expired cause one refresh, and all get the new token`() async throws {
        try await Tool.using(.init(persona: .gitHub, delays: .init(tokenEndpoint: .milliseconds(200)))) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let old = try await tool.run("token").text
            try await tool.expireStoredToken()
            let processes = try (0..<50).map { _ in try tool.start(["helper", "git", "get"], input: tool.gitRequest()) }
            var answers: Set<String> = []
            for process in processes {
                let output = await process.end()
                #expect(output.status == 0 && output.errorText.isEmpty, "\(output.errorText)")
                answers.insert(output.text)
            }
            #expect(answers.count == 1 && answers.first?.contains("password=") == true && answers.first?.contains(old) == false)
            #expect(tool.server.log.tokenRequests(grant: "refresh_token") == 1)
        }
    }

    @Test(arguments: [
        ("another host", "protocol=http\nhost=127.0.0.2:%PORT%\n"), ("another port", "protocol=http\nhost=127.0.0.1:1\n"),
        ("another scheme", "protocol=https\nhost=127.0.0.1:%PORT%\n"), ("no host", "protocol=http\n"), ("nothing", ""),
    ])
    func `is silent for any other server`(description: String, request: String) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let port = String(tool.server.issuer.split(separator: ":").last ?? "")
            for operation in ["get", "erase", "store"] {
                let output = try await tool.run("helper", "git", operation, input: request.replacing("%PORT%", with: port))
                #expect(output.status == 0 && output.text.isEmpty && output.errorText.isEmpty, "\(operation): \(output.errorText)")
            }
        }
    }

    @Test func `is silent if no one is signed in, and for operations that it does not know`() async throws {
        try await Tool.using { tool in
            for operation in ["get", "erase", "store", "frobnicate"] {
                let output = try await tool.run("helper", "git", operation, input: tool.gitRequest())
                #expect(output.status == 0 && output.text.isEmpty && output.errorText.isEmpty, "\(operation): \(output.errorText)")
            }
        }
    }

    @Test func `a request that git never writes is one line on standard error`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("helper", "git", "get", input: "protocol=http\nhost")
            #expect(output.status == 0 && output.text.isEmpty)
            #expect(output.errorText.hasPrefix("authhub: the request has a line without"), "\(output.errorText)")
            #expect(output.errorText.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test func `refreshes a rejected token once, and keeps the account`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token").text
            let report = tool.gitRequest("username=x\npassword=\(token)")
            for count in 1...3 {
                let output = try await tool.run("helper", "git", "erase", input: report)
                #expect(output.status == 0 && output.text.isEmpty)
                #expect(output.errorText.contains("rejected the token of “default”") == (count == 1), "\(output.errorText)")
            }
            #expect(tool.server.log.refreshes == 1)
            #expect(try await tool.run("token").text != token)
            _ = try await tool.run("helper", "git", "erase", input: tool.gitRequest("username=x\npassword=other"))
            #expect(tool.server.log.refreshes == 1)
        }
    }

    @Test func `a scope that is missing is reported, and a refresh would not help`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let challenge = "wwwauth[]=Bearer error=\"insufficient_scope\", scope=\"workflow\"\n"
            let output = try await tool.run(
                "helper", "git", "erase", input: tool.gitRequest(challenge + "password=\(try await tool.run("token").text)"))
            #expect(output.status == 0 && output.text.isEmpty)
            #expect(output.errorText.contains("the scope workflow"), "\(output.errorText)")
            #expect(output.errorText.hasSuffix("next: authhub login --scope workflow\n"), "\(output.errorText)")
            #expect(tool.server.log.refreshes == 0)
        }
    }

    /// What git 2.47 writes if a bearer token has been revoked: it asks, is rejected, asks again with the state, and reports success.
    @Test func `git 2.47: asks to be called again, and then has another token`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let server = "protocol=http\nhost=\(tool.server.issuer.dropFirst("http://".count))\n"
            let capabilities = "capability[]=authtype\ncapability[]=state\n"
            let challenge = "wwwauth[]=Bearer realm=\"Repositories\"\n"
            func helper(_ operation: String, _ request: String) async throws -> [String: String] {
                let output = try await tool.run("helper", "git", operation, input: request + "\n")
                #expect(output.status == 0 && output.errorText.isEmpty, "\(operation): \(output.errorText)")
                return Dictionary(
                    output.text.split(separator: "\n").compactMap { line in
                        line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
                    }, uniquingKeysWith: { "\($0), \($1)" })
            }
            let old = try await tool.run("token").text.dropLast()
            let first = try await helper("get", capabilities + server + challenge)
            #expect(first["capability[]"] == "authtype, state" && first["authtype"] == "Bearer" && first["ephemeral"] == "1")
            #expect(first["credential"] == String(old) && first["continue"] == "1" && first["username"] == nil && first["password"] == nil)
            let expiry = "password_expiry_utc=\(try #require(first["password_expiry_utc"]))\n"
            let again =
                "\(capabilities)authtype=Bearer\nephemeral=1\n\(server)\(expiry)\(challenge)state[]=\(try #require(first["state[]"]))\n"
            let second = try await helper("get", again)
            let new = try await tool.run("token").text.dropLast()
            #expect(second["authtype"] == "Bearer" && second["credential"] == String(new) && new != old)
            #expect(second["continue"] == nil && second["state[]"] == nil)
            // Another process has refreshed the token already.
            #expect(try await helper("get", again) == second)
            #expect(try await helper("store", "\(capabilities)authtype=Bearer\ncredential=\(new)\nephemeral=1\n\(server)\(expiry)") == [:])
            #expect(tool.server.log.refreshes == 1)
        }
    }

    @Test func `a token that cannot be refreshed is reported with the command that helps`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            try await tool.expireStoredToken("work", isRenewable: false)
            // In a terminal, it would ask.
            var tool = tool
            tool.environment["GIT_TERMINAL_PROMPT"] = "0"
            let output = try await get(tool)
            #expect(output.status == 0 && output.text.isEmpty)
            #expect(output.errorText.hasSuffix("next: authhub login --as work\n"), "\(output.errorText)")
            #expect(output.errorText.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test func `a bare repository that is part of a clone does not choose the account`() async throws {
        try await Tool.using { tool in
            var tool = tool
            for label in ["one", "two"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            #expect(try await tool.run("accounts", "use", "one").status == 0)
            tool.environment.merge(["GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }
            func git(at folder: String, _ words: String..., input: String = "") async throws -> ChildProcess.Output {
                let person = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
                return try await ChildProcess(
                    "/usr/bin/git", ["-C", "\(tool.folder.path)/\(folder)"] + person + words, environment: tool.environment,
                    input: Array(input.utf8)
                ).end()
            }
            for folder in ["objects", "refs"] {
                try FileManager.default.createDirectory(
                    atPath: "\(tool.folder.path)/attack/docs/\(folder)", withIntermediateDirectories: true)
                _ = try tool.folder.write("", to: "attack/docs/\(folder)/keep")
            }
            _ = try tool.folder.write("ref: refs/heads/main\n", to: "attack/docs/HEAD")
            _ = try tool.folder.write("[core]\n\tbare = true\n[authhub]\n\taccount = two\n", to: "attack/docs/config")
            #expect(try await git(at: "attack", "init", "--quiet").status == 0)
            #expect(try await git(at: "attack", "add", ".").status == 0)
            #expect(try await git(at: "attack", "commit", "--quiet", "-m", "docs").status == 0)
            #expect(try await git(at: ".", "clone", "--quiet", "attack", "clone").status == 0)

            let token = try tool.storedCredential("one")["access_token"]?.string ?? ""
            let folder = "clone/docs"
            #expect(try await git(at: folder, "config", "authhub.account").text == "two\n", "git itself reads it")
            for words in [["token"], ["token", "--format", "raw"]] {
                #expect(try await tool.run(words, in: "\(tool.folder.path)/\(folder)").text == "\(token)\n")
            }
            let helper = "credential.helper=!\(Tool.path.shellWord) helper git"
            let answer = try await git(at: folder, "-c", helper, "credential", "fill", input: tool.gitRequest())
            #expect(answer.text.contains("password=\(token)\n"), "\(answer.text) \(answer.errorText)")
        }
    }

    @Test func `chooses between accounts by user name, option and git's configuration`() async throws {
        try await Tool.using { tool in
            var tool = tool
            for label in ["work", "private"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            let tokens = try await (tool.run("token", "--as", "work").text, tool.run("token", "--as", "private").text)
            let none = try await get(tool)
            #expect(none.status == 0 && none.text.isEmpty)
            #expect(none.errorText.contains("private, work") && none.errorText.contains("git config authhub.account"), "\(none.errorText)")
            #expect(try await get(tool, "username=Work\n").text.contains(tokens.0))
            #expect(try await get(tool, words: ["--as", "private"]).text.contains(tokens.1))
            #expect(try await get(tool, words: ["--as", "nobody"]).text.isEmpty)
            tool.environment["GIT_CONFIG_GLOBAL"] = try tool.folder.write("[authhub]\n\taccount = private\n", to: "gitconfig")
            let configured = try await get(tool)
            #expect(configured.text.contains(tokens.1) && configured.errorText.isEmpty, "\(configured.errorText)")
        }
    }

    @Test func `chooses between accounts by the user's rules`() async throws {
        try await Tool.using { tool in
            for label in ["work", "private"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            let personal = try tool.storedCredential("private")["access_token"]?.string ?? ""
            let work = try tool.storedCredential("work")["access_token"]?.string ?? ""
            let folder = "\(tool.folder.path)/project"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            func password(_ tool: Tool) async throws -> String? {
                let output = try await tool.run(["helper", "git", "get"], in: folder, input: tool.gitRequest())
                let line = output.text.split(separator: "\n").first { $0.hasPrefix("password=") }
                return line.map { String($0.dropFirst("password=".count)) }
            }
            #expect(try await password(tool) == nil)
            #expect(try await tool.run("accounts", "use", "work").status == 0)
            #expect(try await password(tool) == work)
            #expect(try await tool.run("accounts", "bind", "private", "--host", tool.server.issuer).status == 0)
            #expect(try await password(tool) == personal)
            #expect(try await tool.run("accounts", "bind", "work", "--host", tool.server.issuer).status == 0)
            #expect(try await password(tool) == work)
            #expect(try await tool.run("accounts", "bind", "private", "--folder", folder).status == 0)
            #expect(try await password(tool) == personal)
            var named = tool
            named.environment["AUTHHUB_ACCOUNT"] = "work"
            #expect(try await password(named) == work)
        }
    }

    @Test func `runs under the name that git looks for`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let link = "\(tool.folder.path)/git-credential-authhub"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Tool.path)
            let capability = try await tool.start(["capability"], at: link).end()
            #expect(capability.text == "version 0\ncapability authtype\ncapability state\n")
            let output = try await tool.start(["--as", "default", "get"], input: tool.gitRequest(), at: link).end()
            #expect(output.text.contains("password=\(try await tool.run("token").text)"), "\(output.errorText)")
        }
    }
}

extension Tool {
    /// A request for the server, with more attributes.
    func gitRequest(_ more: String = "") -> String {
        "protocol=http\nhost=\(server.issuer.dropFirst("http://".count))\n\(more)\n"
    }
}
