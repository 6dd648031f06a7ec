import ArgumentParser
import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import OAuthProtocol
import Testing

struct RegisteredPortTests {
    /// The built-in providers that accept a loopback redirect URI only with the registered port.
    static let names = ["anilist", "atlassian", "bitbucket", "gitlab", "mastodon", "notion", "zoom"].filter { name in
        ProviderProfile.builtIn(name).flatMap { try? $0.profile(at: $0.examplePlace) }?.needsLoopbackPort ?? false
    }

    private func settings(_ words: [String], known: AccountSettings? = nil, needsCallback: Bool = true) throws -> AccountSettings {
        try ProviderOptions.parse(words).request.settings(known: known, label: "default", needsCallback: needsCallback)
    }

    private func words(_ name: String) -> [String] {
        [name, "--client-id", "c"] + (name == "mastodon" ? ["--web", "https://mastodon.example"] : [])
    }

    @Test func `GitLab and Atlassian are among the providers that need the registered port`() {
        #expect(Self.names.contains("gitlab") && Self.names.contains("atlassian") && Self.names.contains("anilist"))
    }

    @Test(arguments: names)
    func `a sign-in by a port that cannot be the registered one is refused, and the option is named`(name: String) throws {
        let failure = #expect(throws: Failure.self) { try settings(words(name)) }
        #expect(failure?.exit == .usage)
        #expect(failure?.hint.hasPrefix("add --port PORT with the registered port") == true, "\(failure?.hint ?? "")")
        #expect(failure?.hint.contains("--callback pin") == (name == "anilist"))
    }

    @Test(arguments: names)
    func `the registered port, another callback and a port that is asked for are accepted`(name: String) throws {
        #expect(try settings(words(name) + ["--port", "7777"]).client.redirectURI.description == "http://127.0.0.1:7777/callback")
        #expect(try settings(words(name) + ["--port", "0"]).client.redirectURI == .loopback)
        #expect(try settings(words(name) + ["--callback", "com.example.app:/callback"]).client.redirectURI != .loopback)
        #expect(try settings(words(name), needsCallback: false).client.redirectURI == .loopback, "no callback is awaited")
    }

    @Test func `a provider that accepts any port needs none`() throws {
        for name in ["github-app", "google", "spotify"] { #expect(try settings(words(name)).client.redirectURI == .loopback) }
        #expect(try settings(["https://as.example", "--client-id", "c"]).client.redirectURI == .loopback)
    }

    @Test func `an account that is stored signs in again as before, and another client of it does not`() throws {
        let stored = AccountSettings(provider: .builtIn("gitlab"), client: OAuthClient(id: "c"))
        #expect(try settings([], known: stored) == stored)
        #expect(throws: Failure.self) { try settings(["--client-id", "other"], known: stored) }
        #expect(throws: Failure.self) { try settings(["--redirect-path", "/other"], known: stored) }
    }

    @Test func `where a settings file lacks the port, the hint names its member`() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write(#"{"provider": "gitlab", "client_id": "c"}"#, to: "settings.json")
        let failure = #expect(throws: Failure.self) { try settings(["--settings", file]) }
        #expect(
            failure?.hint == "write the registered redirect URI into “redirect_uri” of \(file): http://127.0.0.1:PORT/callback",
            "\(failure?.hint ?? "")")
        let complete = #"{"provider": "gitlab", "client_id": "c", "redirect_uri": "http://127.0.0.1:7777/callback"}"#
        _ = try folder.write(complete, to: "settings.json")
        #expect(try settings(["--settings", file]).client.redirectURI.description == "http://127.0.0.1:7777/callback")
    }
}
