import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import OAuthProtocol
import Testing

struct LoginCommandLineTests {
    @Test(arguments: [
        (
            ProviderReference.builtIn("anilist"), "https://anilist.co/api/v2/oauth/pin",
            "authhub login anilist --client-id c --callback pin"
        ),
        (
            .builtIn("anilist", place: "http://127.0.0.1:8000"), "http://127.0.0.1:8000/api/v2/oauth/pin",
            "authhub login anilist --client-id c --web http://127.0.0.1:8000 --callback pin --allow-insecure-loopback"
        ),
        (
            .builtIn("spotify", place: "http://127.0.0.1:8000"), "http://127.0.0.1/callback",
            "authhub login spotify --client-id c --web http://127.0.0.1:8000 --allow-insecure-loopback"
        ),
        (
            .builtIn("microsoft", place: "http://127.0.0.1:8000"), "http://127.0.0.1/callback",
            "authhub login microsoft --client-id c --web http://127.0.0.1:8000 --allow-insecure-loopback"
        ),
        (
            .builtIn("microsoft", place: "contoso.example"), "http://127.0.0.1/callback",
            "authhub login microsoft --client-id c --tenant contoso.example"
        ),
    ])
    func `the words that sign in again are those that were typed`(
        provider: ProviderReference, redirectURI: String, words: String
    ) throws {
        var settings = AccountSettings(provider: provider, client: OAuthClient(id: "c"))
        settings.client.redirectURI = try #require(RedirectURI(redirectURI))
        settings.allowsInsecureLoopback = words.contains("--allow-insecure-loopback")
        #expect(LoginCommandLine(settings: settings, label: "default").text == words)
    }

    private static let gitLab = AccountSettings(
        provider: .builtIn("gitlab"), client: OAuthClient(id: "c", secret: Secret("s"), redirectURI: .loopback(port: 7777)), scope: ["api"])

    @Test func `the file with the secret is the one that was typed, and a placeholder if none was`() {
        var line = LoginCommandLine(settings: Self.gitLab, label: "default", secretFile: "my secret")
        #expect(line.text == "authhub login gitlab --client-id c --client-secret-file 'my secret' --scope api --port 7777")
        line.secretFile = nil
        #expect(line.text == "authhub login gitlab --client-id c --client-secret-file FILE --scope api --port 7777")
    }

    @Test func `a client that the tool finds is not named, but options that differ from it are`() {
        var line = LoginCommandLine(settings: Self.gitLab, label: "default", found: Self.gitLab.client)
        #expect(line.text == "authhub login gitlab --scope api")
        line.settings.client.redirectURI = .loopback(port: 8888)
        #expect(line.text == "authhub login gitlab --scope api --port 8888")
        line.settings.client.id = "other"
        #expect(line.text == "authhub login gitlab --client-id other --client-secret-file FILE --scope api --port 8888")
    }

    @Test func `the base URL of the API is named if it is not the provider's own`() {
        var settings = Self.gitLab
        settings.client = OAuthClient(id: "c", redirectURI: .loopback(port: 7777))
        settings.overrides.base = "https://api.example/v1"
        let text = LoginCommandLine(settings: settings, label: "default").text
        #expect(text == "authhub login gitlab --client-id c --scope api --port 7777 --base-url https://api.example/v1")
    }

    @Test func `a free port at a provider that needs the registered one is named`() {
        var settings = Self.gitLab
        settings.client = OAuthClient(id: "c")
        #expect(LoginCommandLine(settings: settings, label: "default").text == "authhub login gitlab --client-id c --scope api --port 0")
        #expect(
            LoginCommandLine(settings: settings, label: "default", flow: .device).text
                == "authhub login gitlab --client-id c --scope api --flow device")
    }

    @Test func `of a stored account only the label and what is different is named`() {
        var line = LoginCommandLine(settings: Self.gitLab, label: "work", stored: Self.gitLab)
        #expect(line.text == "authhub login --as work")
        line.settings.scope = ["read_user"]
        line.settings.client.redirectURI = .loopback(port: 8888)
        line.flow = .device
        #expect(line.text == "authhub login --scope read_user --flow device --as work", "the device flow has no redirect URI")
        line.flow = .paste
        #expect(line.text == "authhub login --scope read_user --port 8888 --flow paste --as work")
        line.settings.provider = .builtIn("github")
        #expect(line.text.hasPrefix("authhub login github --client-id c --client-secret-file FILE"))
        line.settings.provider = Self.gitLab.provider
        line.settings.client.id = "other"
        #expect(line.text.hasPrefix("authhub login gitlab --client-id other"))
    }

    @Test func `of a settings file that was used only the file and what is different is named`() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        _ = try folder.write("s", to: "secret")
        let file = try folder.write(
            #"{"provider": "gitlab", "client_id": "c", "client_secret_file": "secret", "scopes": ["api"], "redirect_uri": "http://127.0.0.1:7777/callback"}"#,
            to: "settings.json")
        var settings = try AccountSettings(file: file)
        #expect(LoginCommandLine(settings: settings, label: "work").text == "authhub login --settings \(file) --as work")
        settings.scope = ["read_user"]
        #expect(LoginCommandLine(settings: settings, label: "default").text == "authhub login --settings \(file) --scope read_user")
        _ = try folder.write("{", to: "settings.json")
        #expect(
            LoginCommandLine(settings: settings, label: "default").text
                == "authhub login gitlab --client-id c --client-secret-file FILE --scope read_user --port 7777")
    }
}
