import AsyncHTTPClientTransport
@testable import AuthHubCommandTests
import AuthHubPrimitives
import AuthHubTesting
import DevelopmentServer
import Testing

/// The tool on a machine without a browser, and a user with a phone.
struct DeviceLoginTests {
    /// A configuration that allows frequent polls.
    static func configuration(
        _ persona: Persona, lifetime: Duration = .seconds(900)
    ) -> DevelopmentServerConfiguration {
        var persona = persona
        persona.device?.interval = .milliseconds(50)
        persona.device?.lifetime = lifetime
        return .init(persona: persona)
    }

    static let personas = [Persona.gitHub, .openID]

    @Test(arguments: personas)
    func `the user allows access on a phone, and the account is like any other`(
        persona: Persona
    ) async throws {
        try await Tool.using(Self.configuration(persona)) { tool in
            let login = try tool.start(tool.deviceWords())
            try await Phone(of: login, at: tool).enter()
            let output = await login.end()
            #expect(output.status == 0, "\(output.errorText)")
            #expect(output.text.isEmpty)
            #expect(output.errorText.contains(tool.server.devicePage ?? "none"))
            #expect(output.errorText.contains("Signed in"))
            #expect(!output.errorText.contains("█"), "a QR code in a pipe")
            #expect(tool.server.log.requests(path: persona.addresses.authorization) == 0)
            #expect(try await tool.run("whoami", "-o", "json").status == 0)
            #expect(try await tool.run("refresh").status == 0)
            let logout = try await tool.run("logout")
            // GitHub does not accept a revocation request from a client without a secret.
            #expect(logout.status == (persona.api.isGitHub ? 1 : 0))
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test(arguments: personas)
    func `DV09: a denial exits with 3, and leaves nothing`(persona: Persona) async throws {
        try await Tool.using(Self.configuration(persona)) { tool in
            let login = try tool.start(tool.deviceWords())
            try await Phone(of: login, at: tool, refuses: true).enter()
            let output = await login.end()
            #expect(output.status == 3, "\(output.errorText)")
            #expect(output.errorText.contains("access_denied"))
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `a logout while the code is shown ends the login, which revokes its tokens`() async throws {
        try await Tool.using(Self.configuration(.openID)) { tool in
            let login = try tool.start(tool.deviceWords())
            let phone = try await Phone(of: login, at: tool)
            #expect(try await tool.run("logout").status == 0)
            try await phone.enter()
            let output = await login.end()
            #expect(output.status == 1, "\(output.errorText)")
            #expect(output.errorText.contains("signed out elsewhere"), "\(output.errorText)")
            #expect(tool.server.log.revocations > 0)
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `DV12: a code that is not entered in time exits with 5, and the next login shows a different one`() async throws {
        try await Tool.using(Self.configuration(.openID, lifetime: .seconds(1))) { tool in
            let output = try await tool.run(tool.deviceWords())
            #expect(output.status == 5, "\(output.errorText)")
            #expect(output.errorText.contains("--flow device"))
            #expect(try await tool.records().isEmpty)
            let next = try await tool.run(tool.deviceWords())
            #expect(DeviceScreen(next.errorText)?.code != DeviceScreen(output.errorText)?.code)
        }
    }

    @Test func `DV09: a code that expired at the server exits with 5`() async throws {
        try await Tool.using(Self.configuration(.openID)) { tool in
            tool.server.faults.nextTokenResponse(.oauthError("expired_token"))
            let output = try await tool.run(tool.deviceWords())
            #expect(output.status == 5, "\(output.errorText)")
            #expect(tool.server.log.tokenRequests() == 1)
        }
    }

    @Test func `DV10, DV11: waits for a server that fails in the meantime`() async throws {
        try await Tool.using(Self.configuration(.openID)) { tool in
            tool.server.faults.nextTokenResponse(
                .dropConnection, .status(500), .status(503, retryAfter: .seconds(1)), .status(429), .oauthError("slow_down"))
            let login = try tool.start(tool.deviceWords())
            try await Phone(of: login, at: tool).enter()
            let output = await login.end()
            #expect(output.status == 0, "\(output.errorText)")
            #expect(output.errorText.contains("does not respond"))
        }
    }

    @Test func `a restarted server no longer knows the code, and the tool says so`() async throws {
        var configuration = Self.configuration(.openID)
        configuration.port = Int(try quietPort())
        let first = try await DevelopmentAuthorizationServer.start(configuration)
        let tool = try Tool(first)
        let login = try tool.start(tool.deviceWords())
        await tool.untilLogged(by: login) { $0.tokenRequests() > 1 }
        await first.shutdown()
        _ = await login.wait { $0.errorText.contains("does not respond") }
        let second = try await onceItSucceeds { try await DevelopmentAuthorizationServer.start(configuration) }
        let output = await login.end()
        await second.shutdown()
        #expect(output.status == 1, "\(output.errorText)")
        #expect(output.errorText.contains("invalid_grant"))
        try await #expect(tool.records().isEmpty)
    }

    @Test func `DV14: Ctrl-C ends the wait at once, with 130`() async throws {
        var configuration = Self.configuration(.openID)
        configuration.persona.device?.interval = .seconds(600)
        try await Tool.using(configuration) { tool in
            let login = try tool.start(tool.deviceWords())
            _ = await login.wait { $0.errorText.contains("Waiting") }
            login.send(2)
            let output = await login.end()
            #expect(output.status == 130, "\(output.errorText)")
            #expect(tool.server.log.tokenRequests() == 0)
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `for programs, the code is one line of JSON`() async throws {
        try await Tool.using(Self.configuration(.openID)) { tool in
            let login = try tool.start(tool.deviceWords() + ["-o", "json"])
            let shown = await login.wait { $0.errorText.contains("\n") }
            let line = try #require(try? JSONValue(strict: Array(shown.errorText.split(separator: "\n")[0].utf8)))
            #expect(line["verification_uri"]?.string == tool.server.devicePage)
            let code = try #require(line["user_code"]?.string)
            #expect(line["verification_uri_complete"]?.string?.hasSuffix(code) == true)
            #expect(line["expires_at"]?.string?.hasSuffix("Z") == true)
            try await Phone(tool).enter(code, at: line["verification_uri"]?.string ?? "")
            let output = await login.end()
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json()["signed_in"] == true)
        }
    }

    @Test func `draws a QR code of the complete URL if wanted`() async throws {
        try await Tool.using(Self.configuration(.openID, lifetime: .seconds(1))) { tool in
            let drawn = try await tool.run(tool.deviceWords() + ["--qr", "always"])
            #expect(drawn.errorText.contains("▄▄▄▄▄"))
            let never = try await tool.run(tool.deviceWords() + ["--qr", "never"])
            #expect(!never.errorText.contains("▄"))
        }
    }

    @Test func `DV05: shows a URL that is not https as text, with a warning and without a QR code`() async throws {
        try await Tool.using(Self.configuration(.openID, lifetime: .seconds(1))) { tool in
            tool.server.faults.always(
                at: .deviceAuthorization,
                .altered([.member("verification_uri", "http://login.example/go"), .member("verification_uri_complete", nil)]))
            let output = try await tool.run(tool.deviceWords() + ["--qr", "always"])
            #expect(output.errorText.contains("http://login.example/go"))
            #expect(output.errorText.contains("not an https URL"))
            #expect(!output.errorText.contains("▄"))
        }
    }

    @Test func `DV02, DV03, DV04, DV06, DV08, DV15, DV17: tolerates servers that deviate`() async throws {
        try await Tool.using(Self.configuration(.gitHub)) { tool in
            tool.server.faults.next(
                at: .deviceAuthorization,
                .altered([
                    .member("verification_uri", nil), .member("verification_url", .string(tool.server.devicePage ?? "")),
                    .member("expires_in", "900"), .member("interval", 1),
                    .member("verification_uri_complete", .string((tool.server.devicePage ?? "") + "?user_code=X")),
                ]))
            let login = try tool.start(tool.deviceWords())
            try await Phone(of: login, at: tool).enter()
            let output = await login.end()
            #expect(output.status == 0, "\(output.errorText)")
        }
    }

    struct UsageRow: Sendable, CustomTestStringConvertible {
        let words: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(arguments: [
        UsageRow(words: ["--flow", "device", "--browser", "none"]), UsageRow(words: ["--flow", "device", "--headless", "--user", "x"]),
        UsageRow(words: ["--flow", "paste", "--ephemeral"]), UsageRow(words: ["--qr", "always"]), UsageRow(words: ["--flow", "pigeon"]),
    ])
    func `rejects options that do not go together`(row: UsageRow) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let output = try await tool.run(["login", tool.server.issuer, "--client-id", "native-app"] + row.words)
            #expect(output.status == 64)
        }
    }

    @Test func `says what to do if the client is not allowed, or the server has no device endpoint`() async throws {
        var configuration = Self.configuration(.gitHub)
        var clients = DevelopmentClient.examples(for: .gitHub)
        clients[0].allowsDevices = false
        configuration.clients = clients
        try await Tool.using(configuration) { tool in
            let output = try await tool.run(tool.deviceWords())
            #expect(output.status == 3, "\(output.errorText)")
            #expect(output.errorText.contains("device_flow_disabled"))
            #expect(output.errorText.contains("enable the device flow"))
        }
        var persona = Persona.openID
        persona.device = nil
        try await Tool.using(.init(persona: persona)) { tool in
            let output = try await tool.run(tool.deviceWords())
            #expect(output.status == 1, "\(output.errorText)")
            #expect(output.errorText.contains("device_authorization_endpoint"))
            #expect(output.errorText.contains("--device-endpoint"))
        }
    }

    @Test func `suggests the device flow if no browser is available and the server supports it`() async throws {
        for (persona, isNamed) in [(Persona.openID, true), (.withoutDevices, false)] {
            try await Tool.using(.init(persona: persona)) { tool in
                let output = try await tool.run(
                    "login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback", "--callback",
                    "https://example.com/auth/callback", "--browser", "none")
                #expect(output.status == 1, "\(output.errorText)")
                #expect(output.errorText.contains("--flow device") == isNamed, "\(output.errorText)")
            }
        }
    }

    @Test func `prints the URL, and reads the redirect URL from standard input`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback", "--flow", "paste"]
            let refused = try await tool.run(words, input: "http://127.0.0.1:1/other?code=x\n")
            #expect(refused.status == 1, "\(refused.errorText)")
            #expect(refused.errorText.contains("Not accepted"))
            #expect(refused.errorText.contains("\(tool.server.issuer)/authorize?"))
        }
    }
}

extension Persona {
    fileprivate static var withoutDevices: Self {
        var persona = Self.openID
        persona.device = nil
        return persona
    }
}
