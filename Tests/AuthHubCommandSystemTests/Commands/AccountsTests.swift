import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Platform
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

struct AccountsTests {
    @Test func `lists accounts at two servers with their state, and shows nothing secret`() async throws {
        try await Tool.using { tool in
            try await withDevelopmentServer(.init(persona: .openID)) { openID in
                let other = tool.at(openID)
                #expect(try await tool.run("accounts", "-o", "json").json() == [])
                #expect(try await tool.run(tool.loginWords(as: "alive")).status == 0)
                #expect(try await tool.run(tool.loginWords(as: "resting")).status == 0)
                #expect(try await tool.run(other.loginWords(as: "over")).status == 0)
                #expect(try await tool.run(other.loginWords(as: "dead")).status == 0)
                try await tool.expireStoredToken("resting")
                try await tool.expireStoredToken("over", isRenewable: false)
                openID.faults.nextTokenResponse(.oauthError("invalid_grant"))
                #expect(try await tool.run("refresh", "--as", "dead").status == 4)

                let listing = try await tool.run("accounts", "list", "-o", "json")
                #expect(listing.status == 0, "\(listing.errorText)")
                let entries = try listing.json().array ?? []
                #expect(entries.map { $0["account"] } == ["alive", "dead", "over", "resting"])
                #expect(entries.map { $0["state"] } == ["signed_in", "expired", "expired", "renewable"])
                #expect(entries.allSatisfy { $0["problem"] == .null })
                #expect(
                    entries.map { $0["server"]?.string }
                        == [tool.server.issuer, openID.issuer, openID.issuer, tool.server.issuer])
                #expect(entries.map { $0["provider"]?.string } == ["github-app", openID.issuer, openID.issuer, "github-app"])
                #expect(try entries.map { $0["client_id"]?.string } == [tool.app().id, "native-app", "native-app", tool.app().id])
                #expect(entries.map { $0["renewable"] } == [true, false, false, true])
                #expect(entries.map { $0["expires_at"]?.string == nil } == [false, true, false, false])

                let text = try await tool.run("accounts")
                #expect(text.text.split(separator: "\n").count == 5)
                #expect(text.text.contains("renewable") && text.text.contains(openID.issuer))
                #expect(text.errorText.contains("4 accounts\n") && text.errorText.contains("authhub login --as over"))
                #expect(text.errorText.contains("The sign-in of “over” has expired\n  next: authhub login --as over\n"))
                let tokens = try ["alive", "resting", "over"].map { try tool.storedCredential($0)["access_token"]?.string ?? "" }
                for token in tokens + [try tool.app().secret?.reveal() ?? ""] {
                    #expect(!token.isEmpty && !listing.text.contains(token) && !text.text.contains(token))
                }
            }
        }
    }

    @Test func `lists unreadable and unusable accounts with the command to run, and hides no others`() async throws {
        try await Tool.using { tool in
            for label in ["fine", "lost", "odd"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            try await tool.store.delete(AccountSettings.recordAccount(label: "lost"), at: nil)
            try await tool.replaceSettings(of: "odd", with: "{}")
            let listing = try await tool.run("accounts")
            #expect(listing.status == 0)
            #expect(listing.errorText.contains("authhub accounts remove lost") && listing.errorText.contains("authhub accounts remove odd"))
            let entries = try await tool.run("accounts", "-o", "json").json().array ?? []
            #expect(entries.map { $0["account"] } == ["fine", "odd", "lost", "odd"])
            #expect(entries.map { $0["state"] } == ["signed_in", "unreadable", "without_settings", "without_settings"])
            #expect(entries[1]["problem"]?["code"] == "store_failed")

            for label in ["lost", "odd"] {
                let removal = try await tool.run("accounts", "remove", label, "-o", "json")
                #expect(try removal.json()["revocation"] == "not_possible")
            }
            #expect(try await tool.records().map(\.label) == ["fine", "fine"])
        }
    }

    @Test func `lists records that do not open separately from accounts, and can remove them`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "broken")).status == 0)
            for file in try tool.folder.files(in: "/store/credentials") where file.hasSuffix(".credential") { try damage(file) }
            #expect(try await tool.run(tool.loginWords(as: "fine")).status == 0)
            let listing = try await tool.run("accounts", "-o", "json")
            #expect(listing.status == 9)
            #expect(try listing.json().array?.map { $0["account"] } == ["fine"])
            #expect(try listing.errorJSON()["hint"]?.string?.contains("accounts remove --damaged") == true)
            #expect(try await tool.run("accounts", "remove", "--damaged", "-o", "json").json()["removed"] == 2)
            #expect(try await tool.run("accounts").status == 0)
            #expect(try await tool.run("token", "--as", "fine").status == 0)
        }
    }

    @Test func `removing damaged records reports a rolled-back record, as listing accounts does`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let files = try tool.folder.files(in: "/store/credentials").filter { $0.hasSuffix(".credential") }
            let before = try files.map { ($0, try Data(contentsOf: URL(filePath: $0))) }
            #expect(try await tool.run("refresh").status == 0)
            for (file, bytes) in before { try bytes.write(to: URL(filePath: file)) }
            let listing = try await tool.run("accounts", "-o", "json")
            let removal = try await tool.run("accounts", "remove", "--damaged", "-o", "json")
            #expect(listing.status == 9 && removal.status == 9, "\(listing.errorText)\(removal.errorText)")
            #expect(try removal.json()["removed"] == 0)
            #expect(try removal.errorJSON()["message"] == listing.errorJSON()["message"])
            #expect(try listing.errorJSON()["hint"]?.string?.contains("authhub logout") == true)
            try await tool.run("logout")
            #expect(try await tool.run("accounts", "remove", "--damaged").status == 0)
        }
    }

    @Test func `a renamed account stays signed in, and refreshes its token under the new label`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "old")).status == 0)
            let token = try await tool.run("token", "--as", "old").text
            let rename = try await tool.run("accounts", "rename", "old", "new", "-o", "json")
            #expect(rename.status == 0, "\(rename.errorText)")
            #expect(try rename.json()["account"] == "new")
            #expect(try await tool.run("token", "--as", "new").text == token)
            #expect(try await tool.run("token", "--as", "old").status == 4)
            #expect(try await tool.run("refresh", "--as", "new").status == 0)
            #expect(Set(try await tool.records().map(\.label)) == ["new"])
            #expect(tool.server.log.revocations == 0)
        }
    }

    @Test func `does not rename an account whose tokens the server has not revoked yet`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords(as: "old")).status == 0)
            tool.server.faults.always(at: .revocation, .status(503))
            #expect(try await tool.run("logout", "--as", "old").status != 0)
            let rename = try await tool.run("accounts", "rename", "old", "new", "-o", "json")
            #expect(rename.status == 1)
            #expect(try rename.errorJSON()["code"] == "revocation_pending")
            #expect(try rename.errorJSON()["hint"] == "authhub logout --as old, then run the same command again")

            tool.server.faults.clear()
            #expect(try await tool.run("logout", "--as", "old").status == 0)
            #expect(tool.server.log.revocations > 0)
        }
    }

    @Test func `does not sign in elsewhere under the label of an account whose tokens the server has not revoked yet`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            try await withDevelopmentServer(.init(persona: .gitHub)) { gitHub in
                #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
                tool.server.faults.always(at: .revocation, .status(503))
                #expect(try await tool.run("logout", "--as", "work").status != 0)
                let elsewhere = try tool.at(gitHub).loginWords(as: "work")
                let login = try await tool.run(elsewhere + ["-o", "json"])
                #expect(login.status == 1)
                #expect(try login.errorJSON()["code"] == "revocation_pending")
                #expect(try login.errorJSON()["hint"]?.string?.hasPrefix("authhub logout --as work, then") == true)
                #expect(gitHub.log.tokenRequests() == 0)
                tool.server.faults.clear()
                #expect(try await tool.run("logout", "--as", "work").status == 0)
                #expect(tool.server.log.revocations > 0)
                #expect(try await tool.run(elsewhere).status == 0)
            }
        }
    }

    @Test(arguments: [Persona.gitHub, .openID])
    func `one logout frees the label of a development server that was stopped`(persona: Persona) async throws {
        try await Tool.using(.init(persona: persona)) { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            await tool.server.shutdown()
            let logout = try await tool.run("logout", "--as", "work")
            #expect(logout.status == 6, "\(logout.errorText)")
            #expect(logout.errorText.contains("signed out “work” on this machine"), "\(logout.errorText)")
            #expect(logout.errorText.contains("next: nothing is left to do;"), "\(logout.errorText)")
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `a development server that responds is asked again to revoke the tokens`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            tool.server.faults.always(at: .revocation, .status(503))
            let logout = try await tool.run("logout", "--as", "work", "-o", "json")
            #expect(try logout.errorJSON()["hint"] == "when the server can be reached: authhub logout --as work")
            #expect(try await !tool.records().isEmpty)
        }
    }

    @Test func `lists an account whose tokens the server has not revoked yet`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            tool.server.faults.always(at: .revocation, .status(503))
            #expect(try await tool.run("logout", "--as", "work").status != 0)
            let entry = try await tool.run("accounts", "-o", "json").json().array?.first
            #expect(entry?["account"] == "work")
            #expect(entry?["state"] == "revocation_pending")
            let text = try await tool.run("accounts")
            #expect(text.text.contains("not revoked"))
            #expect(text.errorText.contains("next: authhub logout --as work"))
        }
    }

    @Test func `a rename overwrites no account, signed in or not`() async throws {
        try await Tool.using { tool in
            for label in ["work", "home", "gone", "stray"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            try await tool.store.delete(AccountSettings.recordAccount(label: "stray"), at: nil)
            let tokens = try ["work", "home"].map { try tool.storedCredential($0)["access_token"] }
            tool.server.faults.nextTokenResponse(.oauthError("invalid_grant"))
            #expect(try await tool.run("refresh", "--as", "gone").status == 4)
            let rows = [
                ("work", "home", 1, "label_taken"), ("work", "stray", 1, "label_taken"), ("gone", "home", 4, "sign_in_needed"),
                ("nobody", "new", 1, "unknown_account"),
            ]
            for (source, target, status, code) in rows {
                let rename = try await tool.run("accounts", "rename", source, target, "-o", "json")
                #expect(rename.status == Int32(status), "\(rename.errorText)")
                #expect(try rename.errorJSON()["code"] == .string(code))
            }
            #expect(try ["work", "home"].map { try tool.storedCredential($0)["access_token"] } == tokens)
            #expect(try await tool.run("accounts", "rename", "gone", "new").status == 0, "its settings are an account, too")
            let entries = try await tool.run("accounts", "-o", "json").json().array ?? []
            #expect(entries.map { $0["account"] } == ["home", "new", "work", "stray"])
            #expect(entries.last?["state"] == "without_settings", "what was begun is taken back")
        }
    }

    @Test func `a rename waits for the refresh of another process, and moves its tokens`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "old")).status == 0)
            let old = try await tool.run("token", "--as", "old").text
            tool.server.faults.nextTokenResponse(.delay(.seconds(1)))
            let refresh = try tool.start(["refresh", "--as", "old"])
            await tool.untilLogged(by: refresh) { $0.tokenRequests(grant: "refresh_token") == 1 }
            let rename = try await tool.run("accounts", "rename", "old", "new")
            #expect(rename.status == 0, "\(rename.errorText)")
            _ = await refresh.end()
            let token = try await tool.run("token", "--as", "new")
            #expect(token.status == 0 && token.text != old)
            #expect(tool.server.log.revocations == 0)
            #expect(Set(try await tool.records().map(\.label)) == ["new"])
        }
    }

    @Test func `does not rename an account during a sign-in to the new label`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "old")).status == 0)
            let words = Array(try tool.loginWords(as: "old").prefix { $0 != "--headless" }) + ["--browser", "none"]
            let login = try tool.start(words)
            _ = await login.signInAddress()
            for target in [("old", "new"), ("new", "old")] {
                if target.0 == "new" { #expect(try await tool.run(tool.loginWords(as: "new")).status == 0) }
                let rename = try await tool.run("accounts", "rename", target.0, target.1, "-o", "json")
                #expect(rename.status == 75, "\(rename.errorText)")
                #expect(try rename.errorJSON()["message"]?.string?.contains("\(login.processID)") == true)
            }
            login.send(SIGINT)
            _ = await login.end()
            #expect(try await tool.run("token", "--as", "old").status == 0)
        }
    }

    @Test func `running the same command completes a rename that was interrupted`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "old")).status == 0)
            let settings = try #require(try tool.store.readNow(AccountSettings.recordAccount(label: "old")))
            let tokens = try #require(try await tool.records().first(where: \.isListed))
            let credential = try #require(try tool.store.readNow(tokens))
            let target = CredentialAccount(server: tokens.server, clientID: tokens.clientID, label: "new")
            // Simulate a process that was killed after it had copied the settings and the tokens.
            _ = try await tool.store.write(settings.payload, for: AccountSettings.recordAccount(label: "new"), replacing: nil)
            #expect(try await tool.run("accounts", "rename", "old", "new").status == 0)
            _ = try await tool.store.write(settings.payload, for: AccountSettings.recordAccount(label: "old"), replacing: nil)
            _ = try await tool.store.write(credential.payload, for: tokens, replacing: nil)
            #expect(try await tool.run("accounts", "rename", "old", "new").status == 0)
            #expect(Set(try await tool.records()) == [target, AccountSettings.recordAccount(label: "new")])
            #expect(try await tool.run("refresh", "--as", "new").status == 0)
        }
    }

    struct Removal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var words: [String] = []
        var isServerDown = false
        let status: Int32
        let revocation: String
        let revocations: Int
    }

    @Test(arguments: [
        Removal(testDescription: "with its revocation", status: 0, revocation: "done", revocations: 1),
        Removal(testDescription: "only locally", words: ["--local"], status: 0, revocation: "not_asked", revocations: 0),
        Removal(
            testDescription: "with a failing server", isServerDown: true, status: 6, revocation: "not_revoked", revocations: 0),
    ])
    func `removing an account leaves nothing of it, and does not affect other accounts`(row: Removal) async throws {
        try await Tool.using { tool in
            for label in ["work", "home"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            if row.isServerDown { await tool.server.shutdown() }
            let removal = try await tool.run(["accounts", "remove", "work", "-o", "json"] + row.words)
            #expect(removal.status == row.status, "\(removal.errorText)")
            if row.status == 0 {
                #expect(try removal.json()["revocation"] == .string(row.revocation))
            } else {
                #expect(try removal.errorJSON()["code"] == .string(row.revocation))
            }
            #expect(tool.server.log.revocations == row.revocations)
            #expect(try await tool.records().map(\.label) == ["home", "home"])
            #expect(try await tool.run("token", "--as", "home").status == 0)
            #expect(try await tool.run("accounts", "remove", "work").status == 1)
        }
    }
}
