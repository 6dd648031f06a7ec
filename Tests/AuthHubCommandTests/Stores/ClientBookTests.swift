import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

struct ClientBookTests {
    private static func settings(_ provider: ProviderReference, id: String = "c", secret: String? = nil) -> AccountSettings {
        AccountSettings(
            provider: provider,
            client: OAuthClient(id: id, secret: secret.map { Secret($0) }, redirectURI: .loopback(port: 7777), authentication: .post))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let remembered: ProviderReference
        let asked: ProviderReference
        let isFound: Bool
    }

    @Test(arguments: [
        Row(testDescription: "the same provider", remembered: .builtIn("github"), asked: .builtIn("github"), isFound: true),
        Row(
            testDescription: "the same issuer", remembered: .issuer("https://a.example"), asked: .issuer("https://a.example"), isFound: true
        ),
        Row(
            testDescription: "the same server of the provider", remembered: .builtIn("gitlab", place: "https://git.example"),
            asked: .builtIn("gitlab", place: "https://git.example"), isFound: true),
        Row(testDescription: "another provider", remembered: .builtIn("github"), asked: .builtIn("google"), isFound: false),
        Row(
            testDescription: "another profile of the server", remembered: .builtIn("github"), asked: .builtIn("github-app"), isFound: false),
        Row(
            testDescription: "another server of the provider", remembered: .builtIn("gitlab"),
            asked: .builtIn("gitlab", place: "https://git.example"), isFound: false),
        Row(
            testDescription: "another issuer", remembered: .issuer("https://a.example"), asked: .issuer("https://b.example"), isFound: false
        ),
        Row(
            testDescription: "an added provider that now names another server",
            remembered: .described(.named("own", at: "https://a.example")),
            asked: .described(.named("own", at: "https://b.example")), isFound: false),
    ])
    func `a client is found only at its provider and server`(row: Row) async throws {
        let book = ClientBook(store: MemoryCredentialStore())
        let client = try RememberedClient(Self.settings(row.remembered, secret: "s"))
        try await book.save(client)
        let found = try await book.client(for: Self.settings(row.asked))
        #expect(found == (row.isFound ? client : nil))
        if row.isFound { #expect(found?.client.secret?.reveal() == "s" && found?.client.authentication == .post) }
    }

    @Test func `another client replaces the first one, and is forgotten`() async throws {
        let book = ClientBook(store: MemoryCredentialStore())
        try await book.save(RememberedClient(Self.settings(.builtIn("github"), id: "first", secret: "s")))
        let second = try RememberedClient(Self.settings(.builtIn("github"), id: "second"))
        try await book.save(second)
        #expect(try await book.all() == [second])
        try await book.forget(second)
        #expect(try await book.all() == [])
    }

    @Test(arguments: [
        "{}", "no JSON", #"{"format": 2, "provider": "github", "server": "s", "client_id": "c", "redirect_uri": "http://127.0.0.1/"}"#,
    ])
    func `a damaged record is reported with the command that replaces it`(text: String) async throws {
        let store = MemoryCredentialStore()
        let book = ClientBook(store: store)
        let client = try RememberedClient(Self.settings(.builtIn("github")))
        try await book.save(client)
        let account = CredentialAccount(server: ClientBook.server, clientID: "authhub", label: "github \(client.server)")
        _ = try await store.overwrite(account, with: Secret(Array(text.utf8)))
        let failure = await #expect(throws: Failure.self) { try await book.client(for: Self.settings(.builtIn("github"))) }
        #expect(failure?.code == "store_failed" && failure?.hint.hasPrefix("authhub client add github") == true)
        #expect(account.recordKind == "client")
    }

    @Test func `the arguments name the provider and its place, and the JSON has no secret`() throws {
        let client = try RememberedClient(Self.settings(.builtIn("gitlab", place: "https://git.example"), secret: "s3cret"))
        #expect(client.words == "gitlab --web https://git.example")
        #expect(try RememberedClient(Self.settings(.builtIn("microsoft", place: "contoso"))).words == "microsoft --tenant contoso")
        let text = String(decoding: client.json.serialized(), as: UTF8.self)
        #expect(!text.contains("s3cret") && client.json["has_secret"] == true)
        #expect(client.json["redirect_uri"] == "http://127.0.0.1:7777/callback")
    }
}

extension ProviderProfile {
    fileprivate static func named(_ name: String, at server: String) -> Self {
        var profile = ProviderProfile(name: name, displayName: name, issuer: nil)
        profile.endpoints = Endpoints(authorization: "\(server)/authorize", token: "\(server)/token")
        return profile
    }
}
