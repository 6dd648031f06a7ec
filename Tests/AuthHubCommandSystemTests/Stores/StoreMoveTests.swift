import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Platform
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

@Suite(.timeLimit(.minutes(15)))
struct StoreMoveTests {
    private static let dataFolder = ".local/share/authhub"

    /// Runs a body with a tool that has chosen a store, with a signed-in account.
    private static func signedIn(_ body: (Tool) async throws -> Void) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment["AUTHHUB_STORE"] = nil
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await body(tool)
        }
    }

    /// Runs a body with the same tool and a custom key file, and with a tool whose key file is wrong.
    private static func signedInWithKey(_ body: (_ right: Tool, _ wrong: Tool) async throws -> Void) async throws {
        try await Tool.using { tool in
            var right = tool
            right.environment["AUTHHUB_STORE"] = nil
            right.environment["AUTHHUB_KEY_FILE"] = try tool.folder.write(String(repeating: "k", count: 32), to: "right-key")
            var wrong = right
            wrong.environment["AUTHHUB_KEY_FILE"] = try tool.folder.write(String(repeating: "w", count: 32), to: "wrong-key")
            #expect(try await right.run(right.loginWords()).status == 0)
            try await body(right, wrong)
        }
    }

    private static func recordCount(_ tool: Tool, in folder: String) throws -> Int {
        try tool.folder.files().count { $0.contains("\(dataFolder)/\(folder)/") && $0.hasSuffix(".credential") }
    }

    @Test func `moves records to another store, which is used from then on, and back`() async throws {
        try await Self.signedIn { tool in
            let token = try await tool.run("token").text
            let there = try await tool.run("store", "migrate", "file", "plain", "-o", "json")
            #expect(there.status == 0, "\(there.errorText)")
            #expect(try there.json()["complete"] == true)
            #expect(try Self.recordCount(tool, in: "credentials") == 0)
            #expect(try Self.recordCount(tool, in: "plain-credentials") == 2)
            #expect(try await tool.run("store", "-o", "json").json()["store"] == "plain")
            #expect(try await tool.run("token").text == token)
            let back = try await tool.run("store", "migrate", "plain", "file")
            #expect(back.status == 0, "\(back.errorText)")
            #expect(try await tool.run("token").text == token)
            #expect(try Self.recordCount(tool, in: "plain-credentials") == 0)
        }
    }

    @Test func `replaces a different record of the same account only after confirmation`() async throws {
        try await Self.signedIn { tool in
            #expect(try await tool.run(tool.loginWords() + ["--store", "plain"]).status == 0)
            let other = try await tool.run("token", "--store", "plain").text
            let mine = try await tool.run("token").text
            #expect(other != mine)
            let refused = try await tool.run("store", "migrate", "file", "plain")
            #expect(refused.status == 1)
            #expect(refused.errorText.contains("--yes"), "\(refused.errorText)")
            #expect(try await tool.run("token").text == mine, "an account that was not moved is still the one")
            #expect(try await tool.run("store", "-o", "json").json()["moving_from"] == "file")
            #expect(try await tool.run("store", "migrate", "file", "plain", "--yes").status == 0)
            #expect(try await tool.run("token").text == mine)
        }
    }

    @Test func `a move that is killed loses nothing, hides nothing, and is completed by the same command`() async throws {
        try await Self.signedIn { tool in
            let data = "\(tool.folder.path)/\(Self.dataFolder)"
            let store = ToolStore.inFolder(data)
            var leases: [CredentialLease] = []
            for number in 0..<40 {
                let account = CredentialAccount(server: "https://server.example", clientID: "client", label: "\(number)")
                _ = try await store.write(Secret([UInt8(number)]), for: account, replacing: nil)
                leases.append(try await store.lease(account, waitingAtMost: .zero))
            }
            // The command waits here, so it is killed in the middle of the move.
            let waiting = try tool.start(["store", "migrate", "file", "plain"])
            while try await tool.run("store", "-o", "json").json()["moving_from"] == .null {}
            waiting.send(SIGKILL)
            _ = await waiting.end()
            #expect(try await tool.run("store", "-o", "json").json()["moving_from"] == "file")
            for lease in leases { await lease.release() }
            for count in [1, 12, 30] {
                let move = try tool.start(["store", "migrate", "file", "plain"])
                while try Self.recordCount(tool, in: "plain-credentials") < count { await Task.yield() }
                move.send(SIGKILL)
                _ = await move.end()
                let overview = try await tool.run("store", "-o", "json").json()
                #expect(overview["accounts"] == 41)
                #expect(try await tool.run("token").status == 0)
            }
            let end = try await tool.run("store", "migrate", "file", "plain")
            #expect(end.status == 0, "\(end.errorText)")
            let overview = try await tool.run("store", "-o", "json").json()
            #expect(overview["accounts"] == 41)
            #expect(overview["moving_from"] == .null)
            #expect(try Self.recordCount(tool, in: "credentials") == 0)
        }
    }

    @Test func `exports all records to a sealed file and imports them on another machine`() async throws {
        try await Self.signedIn { tool in
            let passphrase = try tool.folder.write("correct horse\n", to: "passphrase")
            let wrong = try tool.folder.write("battery staple\n", to: "wrong")
            let archive = "\(tool.folder.path)/accounts.authhub"
            let token = try await tool.run("token").text
            let export = try await tool.run("store", "export", archive, "--passphrase-file", passphrase)
            #expect(export.status == 0, "\(export.errorText)")
            #expect(try await tool.run("store", "export", archive, "--passphrase-file", passphrase).status == 1, "it is there already")
            var elsewhere = tool
            elsewhere.environment["HOME"] = "\(tool.folder.path)/elsewhere"
            let refused = try await elsewhere.run("store", "import", archive, "--passphrase-file", wrong)
            #expect(refused.status == 1, "\(refused.errorText)")
            let input = try await elsewhere.run(["store", "import", archive, "--passphrase-file", "-"], input: "correct horse\n")
            #expect(input.status == 0, "\(input.errorText)")
            #expect(try await elsewhere.run("token").text == token)
            let nobody = try await tool.run("store", "import", archive)
            #expect(nobody.status == 1)
            #expect(nobody.errorText.contains("--passphrase-file"), "\(nobody.errorText)")
        }
    }

    @Test func `reports problems of an archive as such, not as problems of the store`() async throws {
        try await Self.signedIn { tool in
            let passphrase = try tool.folder.write("correct horse\n", to: "passphrase")
            let archive = "\(tool.folder.path)/accounts.authhub"
            let missing = try await tool.run("store", "export", "\(tool.folder.path)/none/a.authhub", "--passphrase-file", passphrase)
            #expect(missing.errorText.contains("the folder \(tool.folder.path)/none "), "\(missing.errorText)")
            #expect(try await tool.run("store", "export", archive, "--passphrase-file", passphrase).status == 0)
            let link = "\(tool.folder.path)/link"
            #expect(symlink(archive, link) == 0)
            let runs = [
                missing, try await tool.run("store", "export", archive, "--passphrase-file", passphrase),
                try await tool.run("store", "export", "\(archive).2"),
                try await tool.run("store", "import", "\(archive).3", "--passphrase-file", passphrase),
                try await tool.run("store", "import", tool.folder.path, "--passphrase-file", passphrase),
                try await tool.run("store", "import", link, "--passphrase-file", passphrase),
                try await tool.run("store", "import", archive),
            ]
            for run in runs {
                #expect(run.status == 1)
                #expect(!run.errorText.contains("credential store"), "\(run.errorText)")
                #expect(!run.errorText.contains("move it away"), "\(run.errorText)")
            }
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let kept = try await tool.run("store", "import", archive, "--passphrase-file", passphrase)
            #expect(kept.errorText.contains("were kept: tokens of “default”"), "\(kept.errorText)")
        }
    }

    @Test func `reports an invalid new key as such, and never suggests removing records`() async throws {
        try await Self.signedIn { tool in
            let token = try await tool.run("token").text
            var short = tool
            short.environment["AUTHHUB_KEY_FILE"] = try tool.folder.write("too short", to: "short-key")
            for (run, hint) in [
                (try await short.run("store", "rekey", "key-file"), "32 random bytes"),
                (try await tool.run("store", "rekey", "key-file"), "authhub help store rekey"),
            ] {
                #expect(run.status == 9)
                #expect(run.errorText.contains("nothing was"), "\(run.errorText)")
                #expect(run.errorText.contains(hint), "\(run.errorText)")
                for wrong in ["remove", "logout", "--store", "is missing"] {
                    #expect(!run.errorText.contains(wrong), "\(run.errorText)")
                }
            }
            #expect(try await tool.run("token").text == token)
        }
    }

    @Test func `accepts no new account with a wrong key next to records that it does not open, and info says why`() async throws {
        try await Self.signedInWithKey { right, wrong in
            var wrong = wrong
            #expect(try await wrong.run(wrong.loginWords(as: "other")).status == 9)
            let accounts = try await wrong.run("accounts")
            #expect(!accounts.errorText.contains("No accounts"), "\(accounts.errorText)")
            #expect(try await wrong.run("accounts", "-o", "json").errorJSON()["code"] == "store_key_missing")
            #expect(try await wrong.run("store", "-o", "json").json()["problem"]?["code"] == "key_missing")
            wrong.environment["AUTHHUB_KEY_FILE"] = nil
            #expect(try await wrong.run("store", "-o", "json").json()["problem"]?["code"] == "unavailable")
            let all = try await right.run("accounts")
            #expect(all.status == 0, "\(all.errorText)")
            #expect(try await right.run("store", "-o", "json").json()["accounts"] == 1)
        }
    }

    @Test func `moves the key behind a passphrase and back, and reports a missing passphrase with its own error`() async throws {
        try await Self.signedIn { tool in
            let token = try await tool.run("token").text
            let passphrase = try tool.folder.write("correct horse\n", to: "passphrase")
            let rekey = try await tool.run("store", "rekey", "passphrase", "--passphrase-file", passphrase, "-o", "json")
            #expect(rekey.status == 0, "\(rekey.errorText)")
            #expect(try rekey.json()["records"] == 2)
            let files = try tool.folder.files()
            #expect(!files.contains { $0.hasSuffix("credentials.key") }, "\(files)")
            var given = tool
            given.environment["AUTHHUB_PASSPHRASE_FILE"] = passphrase
            #expect(try await given.run("token").text == token)
            #expect(try await given.run("store", "-o", "json").json()["key"]?["source"] == "passphrase")
            let back = try await given.run("store", "rekey", "own-key-file")
            #expect(back.status == 0, "\(back.errorText)")
            #expect(try await tool.run("token").text == token)
            let renewed = try await tool.run("store", "rekey", "own-key-file", "-o", "json")
            #expect(try renewed.json()["records"] == 2)
            #expect(try await tool.run("token").text == token)
        }
    }

    @Test func `a wrong key loses nothing, whatever is typed, and everything works again with the right one`() async throws {
        try await Self.signedInWithKey { right, wrong in
            let token = try await right.run("token").text
            for words in [
                ["token"], ["logout"], ["store", "rekey", "own-key-file"],
                ["store", "rekey", "key-file"],
                ["store", "migrate", "file", "plain"],
            ] {
                let run = try await wrong.run(words)
                #expect(run.status == 9, "\(words): \(run.text)\(run.errorText)")
            }
            #expect(try await wrong.run("accounts", "remove", "--damaged").errorText.contains("No damaged records"))
            #expect(try await right.run("token").text == token)
        }
    }

    @Test func `changes a passphrase without a terminal`() async throws {
        try await Self.signedIn { tool in
            let token = try await tool.run("token").text
            let (old, new) = (try tool.folder.write("correct horse\n", to: "old"), try tool.folder.write("battery staple\n", to: "new"))
            #expect(try await tool.run("store", "rekey", "passphrase", "--passphrase-file", old).status == 0)
            var given = tool
            given.environment["AUTHHUB_PASSPHRASE_FILE"] = old
            let change = try await given.run("store", "rekey", "passphrase", "--passphrase-file", new)
            #expect(change.status == 0, "\(change.errorText)")
            #expect(change.errorText.contains("The passphrase was changed"))
            given.environment["AUTHHUB_PASSPHRASE_FILE"] = new
            #expect(try await given.run("store", "rekey", "own-key-file").status == 0)
            #expect(try await tool.run("token").text == token)
        }
    }
}
