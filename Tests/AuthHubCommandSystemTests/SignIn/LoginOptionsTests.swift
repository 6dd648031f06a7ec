@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// What `login` requests of the server, as the server received it.
struct LoginOptionsTests {
    private static let silver = "urn:mace:incommon:iap:silver"

    /// A server whose ID tokens have the user's name, as Microsoft's and Keycloak's do.
    private static let naming = {
        var persona = Persona.openID
        persona.openIDConnect.hasUserClaimsInIDToken = true
        return persona
    }()

    @Test(arguments: [[], ["--par"]])
    func `sends every option, and the sign-in meets them`(how: [String]) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.run(
                tool.loginWords() + how + [
                    "--login-hint", "octocat", "--prompt", "login,consent", "--max-age", "600", "--acr", "urn:gold", "--acr", Self.silver,
                    "--param", "ui_locales=de fr", "--param", "a=b=c",
                ])
            #expect(login.status == 0, "\(login.errorText)")
            let path = how.isEmpty ? "/authorize" : "/par"
            let entry = try #require(tool.server.log.entries.first { $0.path == path })
            #expect(
                entry.signInOptions == [
                    "login_hint": "octocat", "prompt": "login consent", "max_age": "600", "acr_values": "urn:gold \(Self.silver)",
                ])
            #expect(Set(entry.queryNames + entry.formNames).isSuperset(of: ["ui_locales", "a"]))
            let claims = try await tool.run("whoami", "--claims", "-o", "json").json()["claims"]
            #expect(claims?["acr"]?.string == Self.silver)
            #expect(claims?["auth_time"] != nil)
        }
    }

    @Test func `a class that the server does not meet ends the sign-in, and nothing is stored`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.run(tool.loginWords() + ["--acr", "urn:gold"])
            #expect(login.status == 7, "\(login.errorText)")
            #expect(login.errorText.contains("authentication context classes"), "\(login.errorText)")
            #expect(login.errorText.contains("--acr urn:gold"), "the hint repeats the option: \(login.errorText)")
            #expect(try await tool.records().isEmpty)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let hint: String?

        init(_ testDescription: String, _ words: [String], hint: String?) {
            self.testDescription = testDescription
            self.words = words
            self.hint = hint
        }
    }

    static let hints = [
        Row("no option", [], hint: "octocat"),
        Row("sign in again", ["--prompt", "login"], hint: "octocat"),
        Row("another account", ["--prompt", "select_account"], hint: nil),
        Row("another account, among others", ["--prompt", "consent select_account"], hint: nil),
        Row("another hint", ["--login-hint", "monalisa"], hint: "monalisa"),
        Row("no hint", ["--login-hint", ""], hint: nil),
        Row("a hint as a parameter", ["--param", "login_hint=mona"], hint: "mona"),
        Row("another account of the tool", ["--as", "other"], hint: nil),
    ]

    @Test(arguments: hints)
    func `signing in again fills in the user of the account, unless another one is wanted`(row: Row) async throws {
        try await Tool.using(.init(persona: Self.naming)) { tool in
            let first = try await tool.run(tool.loginWords())
            #expect(first.status == 0, "\(first.errorText)")
            let words =
                try row.words.contains("--as") ? tool.loginWords(as: "other") : ["login", "--headless", "--user", Tool.user] + row.words
            let again = try await tool.run(words)
            #expect(again.status == 0, "\(again.errorText)")
            let pages = tool.server.log.entries.filter { $0.path == "/authorize" && $0.queryNames.contains("state") }
            #expect(pages.first?.signInOptions["login_hint"] == nil)
            #expect(pages.last?.signInOptions["login_hint"] == row.hint)
        }
    }

    @Test(arguments: [true, false])
    func `after a sign-out, or without a name in the ID token, no user is filled in`(hasName: Bool) async throws {
        try await Tool.using(.init(persona: hasName ? Self.naming : .openID)) { tool in
            let first = try await tool.run(tool.loginWords())
            #expect(first.status == 0, "\(first.errorText)")
            if hasName { #expect(try await tool.run("logout").status == 0) }
            let again = try await tool.run(tool.loginWords())
            #expect(again.status == 0, "\(again.errorText)")
            #expect(tool.server.log.entries.allSatisfy { $0.signInOptions["login_hint"] == nil })
        }
    }

    @Test func `an account of the client itself, and other flows, send no options`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let own = try await tool.run(
                "login", tool.server.issuer, "--client-id", "web-app", "--client-secret-file", secret, "--flow", "client-credentials",
                "--scope", "repo", "--allow-insecure-loopback")
            #expect(own.status == 0, "\(own.errorText)")
            let again = try await tool.run("login", "--max-age", "5")
            #expect(again.status == 64)
            #expect(again.errorText.contains("leave out --max-age"), "\(again.errorText)")
        }
    }
}

// MARK: - The scope

extension LoginOptionsTests {
    private static func words(_ tool: Tool, as label: String = "default", _ scope: [String]) throws -> [String] {
        var words = try tool.loginWords(as: label)
        words.replaceSubrange(4...5, with: scope)
        return words
    }

    @Test func `an empty scope requests nothing, and the account keeps it`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.run(Self.words(tool, ["--scope", ""]) + ["-o", "json"])
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["scope"] == [])
            #expect(try await tool.run("login", "--headless", "--user", Tool.user, "-o", "json").json()["scope"] == [])
            let pages = tool.server.log.entries.filter { $0.path == "/authorize" }
            #expect(pages.allSatisfy { !$0.queryNames.contains("scope") && !$0.queryNames.contains("nonce") })
        }
    }

    @Test func `a server that wants consent for a refresh token: the success message has the command that obtains it`() async throws {
        var strict = Persona.openID
        strict.tokens.refreshTokens = .forParameter("prompt", "consent")
        try await Tool.using(.init(persona: strict)) { tool in
            let login = try await tool.run(Self.words(tool, []))
            #expect(login.status == 0, "\(login.errorText)")
            let start = try #require(login.errorText.firstRange(of: "asking for consent (authhub "))
            let command = login.errorText[start.upperBound...].prefix { $0 != ")" }
            #expect(command.hasSuffix(" --prompt consent"), "\(command)")
            let again = try await tool.run(command.split(separator: " ").map(String.init))
            #expect(again.status == 0, "\(again.errorText)")
            #expect(again.errorText.contains("is refreshed automatically"), "\(again.errorText)")
            #expect(!again.errorText.contains("for consent"))
        }
    }
}

// MARK: - The next command

extension LoginOptionsTests {
    struct NextRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let persona: Persona
        /// The words instead of those that request all scopes.
        var scope: [String] = []
        let next: String
    }

    static let nextRows = [
        NextRow(testDescription: "GitHub", persona: .gitHub, next: "whoami"),
        NextRow(testDescription: "an OpenID provider", persona: .openID, next: "whoami"),
        NextRow(testDescription: "an OpenID provider, only openid", persona: .openID, scope: ["--scope", "openid"], next: "whoami"),
        NextRow(testDescription: "an OpenID provider, no openid", persona: .openID, scope: ["--scope", "user"], next: "token"),
        NextRow(testDescription: "an OpenID provider, no scope", persona: .openID, scope: ["--scope", ""], next: "token"),
    ]

    @Test(arguments: nextRows)
    func `the command that the success message recommends works`(row: NextRow) async throws {
        try await Tool.using(.init(persona: row.persona)) { tool in
            // Only the account's own label and store have its tokens.
            for (label, store) in [("default", []), ("work", []), ("plain", ["--store", "plain"])] {
                let words = try row.persona.api.isGitHub ? tool.loginWords(as: label) : Self.words(tool, as: label, row.scope)
                let login = try await tool.run(words + store)
                #expect(login.status == 0, "\(login.errorText)")
                #expect(try await tool.next(after: login) == row.next)
            }
        }
    }
}
