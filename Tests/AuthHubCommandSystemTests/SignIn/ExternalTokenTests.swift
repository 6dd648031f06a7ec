@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Logins with a token of another program. The account `old` plays that program.
struct ExternalTokenTests {
    private struct NoToken: Error {}

    /// Signs the other program in, and returns its tokens.
    private func tokens(_ tool: Tool) async throws -> (access: String, refresh: String) {
        let login = try await tool.run(tool.loginWords(as: "old"))
        #expect(login.status == 0, "\(login.errorText)")
        let stored = try tool.storedCredential("old")
        guard let access = stored["access_token"]?.string, let refresh = stored["refresh_token"]?.string else { throw NoToken() }
        return (access, refresh)
    }

    private func words(_ tool: Tool, _ others: String...) -> [String] {
        ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback"] + others
    }

    @Test(arguments: [["-"], ["FILE"]])
    func `a refresh token from standard input or a file signs in, and shows who the user is`(place: [String]) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let refresh = try await tokens(tool).refresh
            let isFile = place == ["FILE"]
            let path = isFile ? try tool.folder.write("\(refresh)\n", to: "refresh-token") : "-"
            let pages = tool.server.log.requests(path: "/authorize")
            let login = try await tool.run(words(tool, "--with-refresh-token", path), input: isFile ? "" : "\(refresh)\n")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(login.errorText.contains("Signed in as “default”"), "\(login.errorText)")
            #expect(login.errorText.contains("refreshed automatically"), "\(login.errorText)")
            #expect(!login.errorText.contains(refresh))
            #expect(tool.server.log.requests(path: "/authorize") == pages, "no page is opened")
            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["renewable"] == true)
            #expect(status["identity"]?["subject"]?.string != nil, "\(status)")
            #expect(try await tool.run("refresh").status == 0)
            #expect(try await tool.next(after: login) == "whoami")
        }
    }

    @Test func `an access token is stored as it is, without a request to the token endpoint`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let access = try await tokens(tool).access
            let before = tool.server.log.requests(path: "/token")
            let login = try await tool.run(words(tool, "--with-token", "-"), input: "\(access)\r\n")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(!login.errorText.contains(access))
            #expect(!login.errorText.contains("Not granted"), "\(login.errorText)")
            #expect(!login.errorText.contains("consent"), "\(login.errorText)")
            #expect(tool.server.log.requests(path: "/token") == before)
            #expect(try await tool.run("token").text == "\(access)\n")
            #expect(try await tool.run("status", "-o", "json").json()["renewable"] == false)
        }
    }

    @Test func `a refresh token that the server does not accept changes nothing`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            _ = try await tokens(tool)
            let first = try tool.storedCredential("old")
            for label in ["old", "new"] {
                let login = try await tool.run(words(tool, "--with-refresh-token", "-", "--as", label), input: "not-a-token-of-this-server")
                #expect(login.status == 1, "\(login.errorText)")
                #expect(login.errorText.contains("does not accept the refresh token"), "\(login.errorText)")
                #expect(login.errorText.contains("authhub login"), "\(login.errorText)")
                #expect(!login.errorText.contains("not-a-token-of-this-server"))
            }
            #expect(try tool.storedCredential("old") == first)
            #expect(try await tool.run("accounts", "list", "-o", "json").json().array?.count == 1)
        }
    }

    @Test func `a refresh token that the server replaced before the login failed is spent, and the error says so`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let before = try tool.storedCredential()
            #expect(try await tool.asMona.run(tool.loginWords(as: "mona") + ["--user", "mona"]).status == 0)
            let refresh = try #require(tool.storedCredential("mona")["refresh_token"]?.string)
            let login = try await tool.run(words(tool, "--with-refresh-token", "-"), input: refresh)
            #expect(login.status == 1, "\(login.errorText)")
            #expect(
                login.errorText.contains("the new ones were not stored; the server has replaced the refresh token"), "\(login.errorText)")
            #expect(login.errorText.contains("next: add --as NAME") && !login.errorText.contains(refresh), "\(login.errorText)")
            #expect(try tool.storedCredential() == before)
        }
    }

    @Test func `a label that belongs to another server is kept, and the token is not used`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let refresh = try await tokens(tool).refresh
            let before = tool.server.log.requests(path: "/token")
            let login = try await tool.run(
                ["login", "gitlab", "--client-id", "c", "--with-refresh-token", "-", "--as", "old"], input: refresh)
            #expect(login.status == 1)
            #expect(login.errorText.contains("add --as NAME to keep both"), "\(login.errorText)")
            #expect(tool.server.log.requests(path: "/token") == before)
            #expect(try await tool.run(words(tool, "--with-refresh-token", "-", "--as", "old"), input: refresh).status == 0)
        }
    }

    struct WrongRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var input = ""
        let says: String
    }

    @Test(arguments: [
        WrongRow(
            testDescription: "nothing", words: ["--with-refresh-token", "-"], says: "standard input is empty, so there is no refresh token"),
        WrongRow(testDescription: "two lines", words: ["--with-token", "-"], input: "a\nb\n", says: "several lines"),
        WrongRow(
            testDescription: "JSON", words: ["--with-refresh-token", "-"], input: #"{"refresh_token":"s3cret"}"#,
            says: "pass on only the value of “refresh_token”"),
        WrongRow(
            testDescription: "a header field", words: ["--with-token", "-"], input: "Bearer s3cret", says: "without a name or “Bearer”"),
        WrongRow(
            testDescription: "no such file", words: ["--with-token", "/nowhere/token"],
            says: "the file with the access token does not exist"),
        WrongRow(
            testDescription: "a token as an argument", words: ["--with-token", "gho_s3cret"], says: "never type a token as an argument"),
        WrongRow(
            testDescription: "both", words: ["--with-token", "-", "--with-refresh-token", "-"], says: "cannot be used together"),
        WrongRow(
            testDescription: "a page", words: ["--with-token", "-", "--flow", "device", "--prompt", "login"],
            says: "--flow device and --prompt cannot be used with --with-token"),
        WrongRow(
            testDescription: "a browser and a port", words: ["--with-refresh-token", "-", "--browser", "none", "--port", "1"],
            says: "--browser and --port cannot be used with --with-refresh-token"),
        WrongRow(
            testDescription: "two secrets on standard input", words: ["--with-token", "-", "--client-secret-file", "-"],
            says: "Only one file can be standard input"),
    ])
    func `wrong input and options are rejected without a request, and without repeating the input`(row: WrongRow) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = try await tool.runInTurn(words(tool) + row.words, input: row.input)
            #expect(login.status == 64, "\(login.errorText)")
            #expect(login.errorText.contains(row.says), "\(login.errorText)")
            #expect(!login.errorText.contains("s3cret"))
            #expect(tool.server.log.entries.isEmpty)
            #expect(try await tool.records().isEmpty)
        }
    }
}
