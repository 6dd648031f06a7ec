@testable import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Synchronization
import Testing

struct AccountBookTests {
    static let settings = AccountSettings(
        provider: .builtIn("spotify"), client: OAuthClient(id: "client", secret: Secret("hush")), scope: ["user-read-email"])

    @Test func `what is saved under a label is listed and read, and is gone once it is forgotten`() async throws {
        let book = AccountBook(store: MemoryCredentialStore())
        var other = Self.settings
        other.provider = .issuer("https://as.example")
        try await book.save(Self.settings, as: "work")
        try await book.save(other, as: "home")
        #expect(try await book.list().labels == ["home", "work"])
        #expect(try await book.settings(of: "work") == Self.settings)
        #expect(try await book.settings(of: "home") == other)
        try await book.save(other, as: "work")
        #expect(try await book.settings(of: "work") == other)
        try await book.forget("work")
        #expect(try await book.settings(of: "work") == nil)
        #expect(try await book.list().labels == ["home"])
    }

    @Test func `settings are no account, and their secret is not described`() async throws {
        let store = MemoryCredentialStore()
        try await AccountBook(store: store).save(Self.settings)
        #expect(try await OAuthAccounts(store: store).list().accounts.isEmpty)
        #expect(!"\(Self.settings)".contains("hush"))
    }

    @Test(arguments: ["{}", #"{"format":2,"client_id":"c","provider":"github","server":"s"}"#])
    func `a record that cannot be read is reported, hides no other, and is replaced`(text: String) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        _ = try await store.write(Secret(Array(text.utf8)), for: AccountSettings.recordAccount(label: "odd"), replacing: nil)
        try await book.save(Self.settings, as: "fine")
        let error = await #expect(throws: SessionError.self) { try await book.settings(of: "odd") }
        #expect(error?.code == .storeFailed && error?.underlying is AccountSettings.UnreadableRecord)
        #expect(await book.hasDamagedSettings("odd"))
        #expect(try await book.list().labels == ["fine", "odd"])
        try await book.save(Self.settings, as: "odd")
        #expect(try await book.settings(of: "odd") == Self.settings)
    }

    @Test func `settings of a sign-in that failed are taken back, unless others were saved since`() async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        var other = Self.settings
        other.client.id = "other"
        let first = try await book.save(Self.settings)
        let second = try await book.save(other)
        try await book.takeBack(Self.settings, at: first, for: nil, as: "default")
        #expect(try await book.settings() == other)
        try await book.takeBack(other, at: second, for: Self.settings, as: "default")
        #expect(try await book.settings() == Self.settings)
    }

    @Test func `forgetting a label without settings leaves what another program stores at the same time`() async throws {
        let store = HookedStore()
        let book = AccountBook(store: store)
        let account = try Self.settings.account(label: "work")
        _ = try await store.overwrite(account, with: try Credential.making("old").record)
        let new = try Credential.making("new").record
        let isFirst = Mutex(true)
        store.configure {
            $0.beforeDelete = {
                let isNow = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard isNow else { return }
                _ = try? await book.save(Self.settings, as: "work")
                _ = try? await store.overwrite(account, with: new)
            }
        }
        try await book.forgetEverything("work")
        #expect(try await book.settings(of: "work") == Self.settings)
        #expect(try await store.read(account)?.payload.reveal() == new.reveal())
        // The settings are usable now.
        await #expect(throws: SessionError.self) { try await book.forgetEverything("work") }
        #expect(try await book.settings(of: "work") == Self.settings)
    }

    @Test func `a session for an account uses its provider, its client and its label`() async throws {
        let store = MemoryCredentialStore()
        let dependencies = Dependencies(transport: RoutedTransport([]))
        let configured = try OAuthSession.Configuration(
            Self.settings, grant: .clientCredentials, store: store, dependencies: dependencies)
        let session = OAuthSession(configured, label: "work")
        #expect(try session.account == Self.settings.account(label: "work"))
        #expect(session.account.server == ProviderProfile.spotify.identity && session.account.clientID == "client")
        var unknown = Self.settings
        unknown.provider = .builtIn("nosuch")
        let error = #expect(throws: SessionError.self) {
            try OAuthSession.Configuration(unknown, grant: .clientCredentials, store: store, dependencies: dependencies)
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("nosuch") == true)
    }

    @Test func `access of the client's own needs no one, whatever the method is`() throws {
        var settings = Self.settings
        settings.usesClientCredentials = true
        let configured = try OAuthSession.Configuration(
            settings, grant: .refreshToken, store: MemoryCredentialStore(),
            dependencies: Dependencies(transport: RoutedTransport([])))
        #expect(!configured.grant.needsPerson)
    }

    struct Reference: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let provider: ProviderReference
        var isIssuer = false
        var isDescribed = false
        var isKnown = false
        var isShadowed = false
        let identity: String
    }

    @Test(arguments: [
        Reference(
            testDescription: "a built-in provider", provider: .builtIn("spotify"), isKnown: true,
            identity: "https://accounts.spotify.com/authorize"),
        Reference(
            testDescription: "a built-in provider at a place", provider: .builtIn("gitlab", place: "https://git.example"), isKnown: true,
            identity: "https://git.example"),
        Reference(testDescription: "an issuer", provider: .issuer("https://as.example"), isIssuer: true, identity: "https://as.example"),
        Reference(
            testDescription: "a described provider",
            provider: .described(ProviderProfile(name: "own", displayName: "Own", issuer: "https://own.example")), isDescribed: true,
            identity: "https://own.example"),
        Reference(
            testDescription: "a described provider with a built-in name",
            provider: .described(ProviderProfile(name: "GitHub", displayName: "Own", issuer: "https://own.example")), isDescribed: true,
            isShadowed: true, identity: "https://own.example"),
    ])
    func `a reference says what it names, and leads to its profile`(row: Reference) throws {
        #expect(row.provider.isIssuer == row.isIssuer && row.provider.isDescribed == row.isDescribed)
        #expect((row.provider.known != nil) == row.isKnown && row.provider.isShadowedByBuiltIn == row.isShadowed)
        let settings = AccountSettings(provider: row.provider, name: "Mine", client: OAuthClient(id: "c"))
        #expect(try settings.profile().identity == row.identity)
        #expect(try settings.profile().displayName == "Mine")
    }

    @Test func `a settings file makes an account's settings`() throws {
        let file = #"{"provider":"https://as.example","name":"Ours","client_id":"c","scopes":["a"],"client_secret_file":"secret"}"#
        let settings = AccountSettings(try ClientSettings(Array(file.utf8), file: "settings.json"), secret: Secret("s"))
        #expect(
            settings
                == AccountSettings(
                    provider: .issuer("https://as.example"), name: "Ours", client: OAuthClient(id: "c", secret: Secret("s")), scope: ["a"]))
    }
}
