import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import Platform
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

struct AccountChoiceSystemTests {
    @Test func `the environment, the folder and the current account choose among the accounts`() async throws {
        try await Tool.using { tool in
            for label in ["one", "two"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            let folder = "\(tool.folder.path)/project/inner"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let tokens = try ["one", "two"].map { try tool.storedCredential($0)["access_token"]?.string }

            let nothing = try await tool.run("token")
            #expect(nothing.status == 4)
            #expect(nothing.errorText.contains("add --as NAME: one, two; or"), "\(nothing.errorText)")

            #expect(try await tool.run("accounts", "use", "three").status == 1)
            #expect(try await tool.run("accounts", "use", "one").status == 0)
            #expect(try await tool.run("token").text == "\(tokens[0] ?? "")\n")
            #expect(try await tool.run("token", "--format", "raw").text == "\(tokens[0] ?? "")\n")
            let status = try await tool.run("status")
            #expect(status.text.contains("chosen by") && status.text.contains("authhub accounts use"), "\(status.text)")
            #expect(try await tool.run("accounts").errorText.contains("Commands here use “one”"))

            let bind = try await tool.run("accounts", "bind", "two", "--folder", "\(tool.folder.path)/project")
            #expect(bind.status == 0 && bind.errorText.contains("/project and below it now use “two”"), "\(bind.errorText)")
            for words in [["token"], ["token", "--format", "raw"]] {
                #expect(try await tool.run(words, in: folder).text == "\(tokens[1] ?? "")\n")
            }
            #expect(try await tool.run(["status", "-o", "json"], in: folder).json()["chosen_by"] == "folder")
            #expect(try await tool.run(["status"], in: folder).text.contains("the binding of "))
            #expect(try await tool.run(["token", "--as", "one"], in: folder).text == "\(tokens[0] ?? "")\n")

            var named = tool
            named.environment["AUTHHUB_ACCOUNT"] = "one"
            #expect(try await named.run(["token"], in: folder).text == "\(tokens[0] ?? "")\n")
            #expect(try await named.run(["status", "-o", "json"], in: folder).json()["chosen_by"] == "variable")
            named.environment["AUTHHUB_ACCOUNT"] = "nobody"
            let unknown = try await named.run(["whoami"], in: folder)
            #expect(unknown.status == 4 && unknown.errorText.contains("AUTHHUB_ACCOUNT"), "\(unknown.errorText)")
            named.environment["AUTHHUB_ACCOUNT"] = "a b"
            #expect(try await named.run(["token"], in: folder).status == 64)

            #expect(try await tool.run("accounts", "rename", "one", "first").status == 0)
            #expect(try await tool.run("token").text == "\(tokens[0] ?? "")\n")
            #expect(try await tool.run("accounts", "unbind", "--folder", "\(tool.folder.path)/project").status == 0)
            #expect(try await tool.run(["token"], in: folder).text == "\(tokens[0] ?? "")\n")
            #expect(try await tool.run("accounts", "use", "default").status == 0)
            #expect(try await tool.run("token").status == 4)
        }
    }

    @Test func `git's configuration chooses the account of a repository`() async throws {
        try await Tool.using { tool in
            for label in ["one", "two"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            let repository = "\(tool.folder.path)/repository"
            let inner = "\(repository)/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
            func git(_ words: String...) async throws {
                let process = try ChildProcess("/usr/bin/git", ["-C", repository] + words, environment: tool.environment)
                #expect(await process.end().status == 0)
            }
            try await git("init", "--quiet")
            let bind = try await tool.run("accounts", "bind", "one", "--folder", repository)
            #expect(bind.status == 0, "\(bind.errorText)")
            #expect(try await tool.run(["status", "-o", "json"], in: inner).json()["account"] == "one")
            try await git("config", "authhub.account", "two")
            let status = try await tool.run(["status", "-o", "json"], in: inner).json()
            #expect(status["account"] == "two" && status["chosen_by"] == "git")
            // The nearest folder decides.
            #expect(try await tool.run("accounts", "bind", "one", "--folder", inner).status == 0)
            #expect(try await tool.run(["status", "-o", "json"], in: inner).json()["chosen_by"] == "folder")
            for (folder, label) in [(inner, "one"), (repository, "two")] {
                let token = try tool.storedCredential(label)["access_token"]?.string ?? ""
                #expect(try await tool.run(["token"], in: folder).text == "\(token)\n")
            }

            _ = try tool.folder.write("[", to: "repository/.git/config")
            let damaged = try await tool.run(["token"], in: repository)
            #expect(damaged.status == 1 && damaged.errorText.contains("git's configuration"), "\(damaged.errorText)")
        }
    }

    /// Commands without `--as` that use an account.
    static let commands: [[String]] = [
        ["token"], ["token", "--format", "raw"], ["token", "-o", "json"], ["status"], ["status", "-o", "json"],
        ["exec", "--", "sh", "-c", "echo $AUTHHUB_TOKEN"], ["exec", "--file", "F", "--", "sh", "-c", "cat $F"],
        ["request", "/user"], ["request", "/user", "--send-token-to", "https://other.example"], ["whoami"], ["refresh"],
    ]

    @Test func `a folder has its account in all commands, and through a link, until the rule is removed`() async throws {
        try await Tool.using { tool in
            for label in ["one", "two"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            let folder = "\(tool.folder.path)/folder"
            let link = "\(tool.folder.path)/link"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
            for words in Self.commands { #expect(try await tool.run(words, in: folder).status == 4, "\(words)") }
            #expect(try await tool.run("accounts", "bind", "two", "--folder", "\(link)/").status == 0)
            for words in Self.commands {
                let output = try await tool.run(words, in: link)
                #expect(output.status == 0, "\(words): \(output.errorText)")
            }
            #expect(try await tool.run("accounts", "rename", "two", "new").status == 0)
            #expect(try await tool.run(["status", "-o", "json"], in: folder).json()["account"] == "new")
            try FileManager.default.removeItem(atPath: folder)
            let missing = try await tool.run("accounts", "bind", "new", "--folder", folder)
            #expect(missing.status == 64 && missing.errorText.contains("is not a folder"), "\(missing.errorText)")
            let unbound = try await tool.run("accounts", "unbind", "--folder", folder)
            #expect(unbound.status == 0 && unbound.errorText.contains("no longer bound to “new”"), "\(unbound.errorText)")
        }
    }

    @Test func `a request uses the only account of its server, or the one that is bound to it`() async throws {
        try await Tool.using { tool in
            try await withDevelopmentServer(.init(persona: .openID)) { openID in
                #expect(try await tool.run(tool.loginWords(as: "one")).status == 0)
                #expect(try await tool.run(tool.at(openID).loginWords(as: "openid")).status == 0)
                let user = "\(tool.server.issuer)/user"
                #expect(try await tool.run("request", "GET", user).status == 0)
                #expect(try await tool.run("request", "GET", "\(openID.issuer)/userinfo").status == 0)

                #expect(try await tool.run(tool.loginWords(as: "two")).status == 0)
                let ambiguous = try await tool.run("request", "GET", user, "-o", "json")
                #expect(ambiguous.status == 64)
                #expect(try ambiguous.errorJSON()["code"] == "ambiguous_account")
                #expect(ambiguous.errorText.contains("one, two"), "\(ambiguous.errorText)")
                #expect(try await tool.run("request", "GET", user, "--as", "two").status == 0)

                #expect(try await tool.run("accounts", "bind", "two", "--host", tool.server.issuer, "--path", "/user").status == 0)
                #expect(try await tool.run("revoke", "--as", "one").status == 0)
                #expect(try await tool.run("request", "GET", user).status == 0)
                #expect(try await tool.run("request", "GET", "\(tool.server.issuer)/user/repos").status == 0)
                #expect(try await tool.run(tool.loginWords(as: "one")).status == 0)
                let removal = try await tool.run("accounts", "remove", "two")
                #expect(removal.status == 0)
                let lost = try await tool.run("request", "GET", user)
                #expect(lost.status == 1 && lost.errorText.contains("authhub accounts unbind --host"), "\(lost.errorText)")
                #expect(try await tool.run("accounts", "unbind", "--host", tool.server.issuer, "--path", "/user").status == 0)
                #expect(try await tool.run("request", "GET", user).status == 0)
                let elsewhere = try await tool.run("accounts", "bind", "one", "--host", "git.example")
                #expect(elsewhere.status == 0 && elsewhere.errorText.contains("does not send its token"), "\(elsewhere.errorText)")
            }
        }
    }

    @Test func `prune removes accounts without tokens and rules for missing accounts, after a question`() async throws {
        try await Tool.using { tool in
            for label in ["kept", "revoked", "gone"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            #expect(try await tool.run("revoke", "--as", "revoked").status == 0)
            #expect(try await tool.run("accounts", "bind", "gone", "--host", "a.example").status == 0)
            #expect(try await tool.run("accounts", "bind", "kept", "--host", "b.example").status == 0)
            #expect(try await tool.run("accounts", "use", "gone").status == 0)
            #expect(try await tool.run("logout", "--as", "gone").status == 0)
            let asked = try await tool.run("accounts", "prune")
            #expect(asked.status == 2 && asked.errorText.contains("authhub accounts prune --yes"), "\(asked.errorText)")
            #expect(asked.errorText.contains("“revoked”") && asked.errorText.contains("https://a.example"), "\(asked.errorText)")
            #expect(!asked.errorText.contains("“kept”"))
            #expect(try await tool.run("accounts", "-o", "json").json().array?.count == 2)
            let pruned = try await tool.run("accounts", "prune", "--yes", "-o", "json").json()
            #expect(pruned["accounts"] == ["revoked"] && pruned["rules"] == 2)
            #expect(try await tool.run("accounts", "-o", "json").json().array?.map { $0["account"] } == ["kept"])
            #expect(try await tool.run("accounts", "prune").errorText == "Nothing to remove.\n")
            #expect(try await tool.run("accounts").errorText == "1 account\n")
        }
    }

    @Test func `logout --all signs out of every account, and reports those that failed`() async throws {
        try await Tool.using { tool in
            try await withDevelopmentServer(.init(persona: .openID)) { openID in
                #expect(try await tool.run(tool.loginWords(as: "one")).status == 0)
                #expect(try await tool.run(tool.loginWords(as: "two")).status == 0)
                #expect(try await tool.run(tool.at(openID).loginWords(as: "three")).status == 0)
                let one = try tool.storedCredential("one")["access_token"]?.string ?? ""
                let output = try await tool.run("logout", "--all", "-o", "json")
                #expect(output.status == 0, "\(output.errorText)")
                #expect(try output.json().array?.map { $0["account"] } == ["one", "three", "two"])
                #expect(try output.json().array?.allSatisfy { $0["revocation"] == "done" } == true)
                #expect(!output.text.contains(one))
                #expect(try await tool.records().isEmpty)
                #expect(try await tool.run("logout", "--all").errorText == "No accounts.\n")

                #expect(try await tool.run(tool.loginWords(as: "one")).status == 0)
                #expect(try await tool.run(tool.at(openID).loginWords(as: "three")).status == 0)
                try await tool.replaceSettings(of: "one", with: "{}")
                let partial = try await tool.run("logout", "--all")
                #expect(partial.status == 9 && partial.errorText.contains("“one”"), "\(partial.errorText)")
                #expect(partial.errorText.contains("Signed out “three”"))
                #expect(try await tool.records().isEmpty)
            }
        }
    }

    @Test func `an added provider can be removed`() async throws {
        try await Tool.using { tool in
            let file = try await tool.run("provider", "show", "github", "-o", "json").text
            let path = try tool.folder.write(file, to: "mine.json")
            #expect(try await tool.run("provider", "add", path, "--name", "mine").status == 0)
            #expect(try await tool.run("provider", "remove", "mine").errorText == "Removed “mine”.\n")
            #expect(try await tool.run("provider", "show", "mine").status == 64)
            #expect(try await tool.run("provider", "remove", "mine").errorText.contains("there is no added provider “mine”"))
            #expect(try await tool.run("provider", "remove", "github").errorText.contains("built in"))
            #expect(try await tool.run("provider", "remove", "../mine").status == 64)
        }
    }
}
