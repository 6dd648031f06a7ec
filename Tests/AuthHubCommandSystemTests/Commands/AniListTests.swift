import ArgumentParser
import AuthHub
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

struct AniListTests {
    private func signIn(_ tool: Tool) async throws {
        let file = try tool.settingsFile(for: "anilist")
        let login = try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user)
        #expect(login.status == 0, "\(login.errorText)")
    }

    @Test func `a refresh says that there are no refresh tokens, and how long the access token is valid`() async throws {
        try await Tool.using(provider: "anilist", accessTokenLifetime: .seconds(31_536_000)) { tool in
            try await signIn(tool)
            let refresh = try await tool.run("refresh")
            #expect(refresh.status == 1)
            #expect(refresh.errorText.contains("AniList issues no refresh tokens; the access token is valid for another 36"))
            let json = try await tool.run("refresh", "-o", "json")
            #expect(json.status == 1)
            #expect(try json.errorJSON()["code"] == "not_offered")
            #expect(try json.json()["renewable"] == false)
            #expect(try json.json()["expires_at"]?.string != nil)
            #expect(try await tool.run("whoami").status == 0, "the token is still there")
        }
    }

    @Test(arguments: ["whoami", "token", "refresh"])
    func `after the token's expiry the user is told to sign in again`(command: String) async throws {
        try await Tool.using(provider: "anilist") { tool in
            try await signIn(tool)
            try await tool.expireStoredToken()
            let output = try await tool.run(command)
            #expect(output.status == 4, "\(output.errorText)")
            #expect(output.text.isEmpty)
            #expect(output.errorText.contains("the sign-in") && output.errorText.contains("expired"), "\(output.errorText)")
            #expect(output.errorText.contains("authhub login"))
            let json = try await tool.run(command, "-o", "json")
            #expect(try json.errorJSON()["code"] == "sign_in_needed")
            #expect(try json.errorJSON()["hint"] == "authhub login")
            #expect(try await tool.run("login", "--headless", "--user", Tool.user).status == 0)
            #expect(try await tool.run("whoami").status == 0)
        }
    }

    @Test(arguments: [
        ([], "https://anilist.co/api/v2/oauth/pin", "--client-id ID --callback pin"),
        (["--callback", "pin"], "https://anilist.co/api/v2/oauth/pin", "--client-id ID"),
        (["--callback", "loopback"], "http://127.0.0.1:53682/callback", "--client-id ID --port 53682"),
        (["--port", "7777"], "http://127.0.0.1:7777/callback", "--client-id ID"),
        (["--redirect-path", "/back"], "http://127.0.0.1:53682/back", "--client-id ID --port 53682"),
        (["--callback", "com.example.app:/callback"], "com.example.app:/callback", "--client-id ID"),
    ])
    func `without a client ID the message describes a single way that works`(typed: [String], redirectURI: String, options: String) throws {
        let words = ["anilist"] + typed
        let advice = #expect(throws: Failure.self) { try ProviderOptions.parse(words).request.settings(known: nil, label: "default") }
        #expect(advice?.hint == "add \(options)")
        #expect(
            advice?.message
                == "the client ID is missing: register a client at https://anilist.co/settings/developer, with the redirect URI \(redirectURI)"
        )
        let settings = try ProviderOptions.parse(words + options.split(separator: " ").map(String.init)).request.settings(
            known: nil, label: "default")
        #expect(settings.client.redirectURI.description == redirectURI)
    }

    @Test func `the advised way signs in at a server that plays AniList`() async throws {
        try await Tool.using(provider: "anilist") { tool in
            let words = ["login", "anilist", "--web", tool.server.issuer, "--allow-insecure-loopback"]
            let hint = try #require(try await tool.run(words + ["-o", "json"]).errorJSON()["hint"]?.string)
            let pinClient = try #require(tool.server.clients.first { $0.redirectURIs == ["/api/v2/oauth/pin"] })
            let options = hint.dropFirst("add ".count).split(separator: " ").map { $0 == "ID" ? pinClient.id : String($0) }
            // The page shows this token, and the user pastes it.
            try await signIn(tool)
            let token = try await tool.run("token").text
            #expect(try await tool.run(words + options + ["--as", "pinned", "--flow", "paste"], input: token).status == 0)
            #expect(try await tool.run("whoami", "--as", "pinned", "-o", "json").json()["login"] == "octocat")
            let garbage = try await tool.run(words + options + ["--as", "garbage", "--flow", "paste"], input: "garbage\n")
            #expect(garbage.status == 1)
            #expect(garbage.errorText.contains("this is not the text that the page shows"), "\(garbage.errorText)")
            let refresh = try await tool.run("refresh", "--as", "pinned")
            #expect(refresh.status == 1)
            #expect(refresh.errorText.contains("did not say how long the access token is valid"), "\(refresh.errorText)")
        }
    }
}
