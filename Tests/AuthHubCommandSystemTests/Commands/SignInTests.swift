@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

struct SignInTests {
    @Test(.timeLimit(.minutes(15)), arguments: ["", "not an address\n", "http://127.0.0.1:1/callback?code=c&state=wrong\n"])
    func `fails at once with advice if standard input ends before the URL is pasted`(input: String) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = [
                "login", tool.server.issuer, "--client-id", "native-app", "--flow", "paste", "--allow-insecure-loopback", "--as", "work",
            ]
            let output = try await tool.run(words, input: input)
            #expect(output.status == 1)
            #expect(output.errorText.contains("standard input ended"), "\(output.errorText)")
            #expect(output.errorText.contains("--as work --browser none"), "\(output.errorText)")
            #expect(try await tool.run("accounts", "-o", "json").json() == [], "nothing is left")
        }
    }

    @Test func `one account, from login to logout, at a server with GitHub's quirks`() async throws {
        try await Tool.using(.init(persona: .gitHub)) { tool in
            let login = try await tool.run(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            #expect(login.text == "")
            #expect(login.errorText.contains("\(tool.server.issuer)/login/oauth/authorize?"))

            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["signed_in"] == true)
            #expect(status["provider"] == "github-app")
            #expect(status["renewable"] == true)

            let token = try await tool.run("token")
            #expect(token.text.hasPrefix("ghu_") && token.text.hasSuffix("\n"))
            #expect(token.errorText == "")
            let described = try await tool.run("token", "-o", "json").json()
            #expect(described["access_token"]?.string.map { $0 + "\n" } == token.text)
            #expect(described["token_type"] == "Bearer")

            #expect(try await tool.run("whoami").text == "octocat  The Octocat, octocat@example.com\n")
            #expect(try await tool.run("whoami", "-o", "json").json()["login"] == "octocat")

            let table = try await tool.run("repos", "--per-page", "25")
            #expect(table.text.split(separator: "\n").count == 58)
            #expect(table.errorText == "57 repositories on 3 pages\n")
            let list = try await tool.run("repos", "--per-page", "25", "-o", "json").json().array ?? []
            #expect(list.count == 57)
            #expect(list.allSatisfy { $0["full_name"]?.string?.hasPrefix("octocat/") == true && $0["private"]?.bool != nil })
            #expect(tool.server.log.requests(path: "/user/repos") == 6)

            let owned = try await tool.run("repos", "--owned", "-o", "json").json().array ?? []
            #expect(owned.count == 57)
            #expect(tool.server.log.entries.last?.queryNames == ["affiliation", "per_page"])

            #expect(try await tool.run("refresh").status == 0)
            let renewed = try await tool.run("token").text
            #expect(renewed != token.text)
            #expect(tool.server.log.refreshes == 1)

            let body = try await tool.run("request", "GET", "\(tool.server.issuer)/user").json()
            #expect(body["login"] == "octocat")

            let logout = try await tool.run("logout")
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(tool.server.log.revocations == 1)
            #expect(try await tool.run("status").status == 4)
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `one account, from login to logout, at an OpenID provider`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.run(tool.loginWords(as: "work") + ["-o", "json"])
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["account"] == "work")
            #expect(
                try login.json()["identity"] == ["issuer": .string(tool.server.issuer), "subject": "583231", "name": .null])
            #expect(try await tool.run("status").text.contains("work"), "the only account needs no name")

            let person = try await tool.run("whoami", "--as", "work", "-o", "json").json()
            #expect(person["id"] == "583231")
            #expect(person["email"] == "octocat@example.com")
            #expect(try await tool.run("refresh", "--as", "work").status == 0)
            let refused = try await tool.run("repos", "--as", "work")
            #expect(refused.status == 64)
            #expect(refused.errorText.contains("not GitHub"))
            #expect(try await tool.run("logout", "--as", "work", "-o", "json").json()["revocation"] == "done")
            #expect(tool.server.log.familiesRevoked == 1)
        }
    }

    @Test func `says who signed in, from the verified ID token`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.run(tool.loginWords(as: "work"))
            #expect(login.status == 0, "\(login.errorText)")
            #expect(login.errorText.contains("Signed in as “work”: octocat (user ID 583231 at \(tool.server.issuer)); the token"))
            #expect(login.errorText.contains("Next: authhub whoami --as work"))
            #expect(try await tool.run("status", "--as", "work").text.contains("583231 at \(tool.server.issuer))\n"))
        }
    }

    @Test func `without --scope, a new account at an OpenID provider requests the user's claims, and keeps its scope`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var words = try tool.loginWords()
            words.removeSubrange(4...5)
            let login = try await tool.run(words + ["-o", "json"])
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["scope"] == ["openid", "profile", "email", "offline_access"])
            #expect(try login.json()["identity"]?["subject"] == "583231")
            #expect(try await tool.run("whoami", "-o", "json").json()["email"] == "octocat@example.com")

            let narrow = try await tool.run(words + ["--scope", "openid", "-o", "json"]).json()
            #expect(narrow["scope"] == ["openid"])
            let again = try await tool.run("login", "--headless", "--user", Tool.user, "-o", "json").json()
            #expect(again["scope"] == ["openid"])
            #expect(try await tool.run(words + ["-o", "json"]).json()["scope"] == ["openid"])
        }
    }

    @Test func `the default scope is limited to what the server lists, and a hint does not name it`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            func words(_ label: String) throws -> [String] {
                var words = try tool.loginWords(as: label)
                words.removeSubrange(4...5)
                return words
            }
            let metadata = { (scopes: JSONValue) in Fault.altered([.member("scopes_supported", scopes)]) }
            tool.server.faults.always(at: .metadata, metadata(["openid", "email"]))
            #expect(try await tool.run(words("one") + ["-o", "json"]).json()["scope"] == ["openid", "email"])
            tool.server.faults.always(at: .metadata, metadata(["repo"]))
            #expect(try await tool.run(words("two") + ["-o", "json"]).json()["identity"] == .null)
            let denied = try await tool.run(words("three") + ["--deny"])
            #expect(denied.status == 3)
            #expect(!denied.errorText.contains("--scope"), "\(denied.errorText)")
        }
    }

    @Test func `logging out with --end-session opens the server's page, if it has one`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let logout = try await tool.run("logout", "--end-session", "--headless", "--user", Tool.user, "-o", "json")
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(try logout.json()["revocation"] == "done")
            #expect(try logout.json()["server_session"] == "ended")
            #expect(tool.server.log.requests(path: "/logout") == 1)
        }
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let logout = try await tool.run("logout", "--end-session", "--headless", "--user", Tool.user, "-o", "json")
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(try logout.json()["server_session"] == "not_offered")
        }
    }

    @Test func `signs in an account again by its label only`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "mine")).status == 0)
            let first = try await tool.run("token", "--as", "mine").text
            let again = try await tool.run("login", "--as", "mine", "--headless", "--user", Tool.user)
            #expect(again.status == 0, "\(again.errorText)")
            #expect(try await tool.run("token", "--as", "mine").text != first)
        }
    }

    @Test func `another account does not replace a signed-in one under its label`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await withDevelopmentServer(.init(persona: .openID)) { server in
                let other = try await tool.run("login", server.issuer, "--client-id", "other", "--allow-insecure-loopback")
                #expect(other.status == 1)
                #expect(other.errorText.contains("authhub logout"))
                #expect(server.log.entries.allSatisfy { $0.path == "/" || $0.path.hasPrefix("/.well-known/") })
            }
            #expect(try await tool.run("status").status == 0)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [String]) -> Void
        let status: Int32
        let says: String
    }

    static let unauthorizedPolicy: [Refusal] = [
        Refusal(testDescription: "access denied on the consent page", change: { $0.append("--deny") }, status: 3, says: "access_denied"),
        Refusal(
            testDescription: "unknown client", change: { $0.replace("--client-id", with: "unknown") }, status: 1,
            says: "without a form or link to continue"),
        Refusal(
            testDescription: "unknown user", change: { $0.replace("--user", with: "nobody") }, status: 1,
            says: "did not accept the user name or the password; its page says “Wrong username or password.”\n  next: check --user and the"),
        Refusal(
            testDescription: "wrong client secret", change: { $0.replace("--client-secret-file", with: "/etc/hostname") }, status: 1,
            says: "does not accept the client ID or its secret"),
    ]

    @Test(arguments: unauthorizedPolicy)
    func `a sign-in that fails leaves nothing behind`(row: Refusal) async throws {
        try await Tool.using { tool in
            var words = try tool.loginWords()
            row.change(&words)
            let output = try await tool.run(words)
            #expect(output.status == row.status, "\(output.errorText)")
            #expect(output.errorText.contains(row.says), "\(output.errorText)")
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `a sign-in that fails keeps the existing account`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token").text
            var words = try tool.loginWords()
            words.replace("--user", with: "nobody")
            #expect(try await tool.run(words).status == 1)
            #expect(try await tool.run("token").text == token)
        }
    }

    @Test func `remembers settings, which find the token of a label`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords() + ["--redirect-path", "/callback"]).status == 0)
            try await tool.expireStoredToken()
            // A refresh needs the issuer, the client and the permission for http, all from the store.
            #expect(try await tool.run("token").status == 0)
            #expect(tool.server.log.refreshes == 1)
        }
    }
}

extension [String] {
    fileprivate mutating func replace(_ option: String, with value: String) {
        if let index = firstIndex(of: option) { self[index + 1] = value }
    }
}
