import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Synchronization
import Testing
import WebAuthentication

@testable import AuthHubApp

/// The services, store, clock and simulated user (with a browser) that several apps share.
@MainActor
struct Bench {
    let services = FakeServices()
    let store: FaultyStore
    let person = PersonAtBrowser()
    let ephemeral = PersonAtBrowser()
    let time = Time()
    let pages = OpenedPages()
    /// The clock that all waiting uses.
    var clock = LoadClock.continuous
    private let window = Window()

    init(_ store: FaultyStore = FaultyStore()) {
        self.store = store
    }

    static func provider(_ settings: String) throws -> AppProvider {
        try AppProvider(ClientSettings(Array(settings.utf8), file: "test"), secret: Secret("s3cret"), file: "test")
    }

    /// A GitHub App, whose tokens are refreshed.
    static func gitHubApp() throws -> AppProvider {
        try provider(#"{"provider": "github-app", "client_id": "id", "client_secret_file": "s"}"#)
    }

    /// An OAuth app at GitHub, whose tokens are not refreshed.
    static func gitHub() throws -> AppProvider {
        try provider(#"{"provider": "github", "client_id": "id", "client_secret_file": "s"}"#)
    }

    static func aniList() throws -> AppProvider {
        try provider(#"{"provider": "anilist", "client_id": "42", "redirect_uri": "https://anilist.co/api/v2/oauth/pin"}"#)
    }

    var dependencies: Dependencies {
        var dependencies = Dependencies(transport: services) { [time] in time.now }
        dependencies.clock = clock
        return dependencies
    }

    func app(
        _ provider: AppProvider? = nil, _ others: AppProvider..., shared: (any WebAuthenticator)? = nil,
        pasting: (any WebAuthenticator)? = nil,
        ephemeralPasting: (any WebAuthenticator)? = nil
    ) throws -> AppModel {
        let first = try provider ?? Self.gitHubApp()
        var browsers = Browsers(shared: shared ?? person.browser, ephemeral: ephemeral.browser) { prompt in
            pasting ?? PastingBrowser(prompt: prompt)
        }
        if let ephemeralPasting { browsers.ephemeralPasting = { _ in ephemeralPasting } }
        browsers.opener = pages
        return AppModel(first, others, store: store, browsers: browsers, dependencies: dependencies)
    }

    /// Returns an app in which the user has started a sign-in that waits at the gate before its page.
    func signingIn(at door: Door) async throws -> AppModel {
        person.now(.waits(door))
        let app = try app()
        await app.restore()
        app.signIn.signIn()
        await door.untilReached()
        return app
    }

    /// Another process that shares the store, or an earlier run of the same program.
    func otherProcess(as login: String = "octocat", _ provider: AppProvider? = nil) throws -> OAuthSession {
        let provider = try provider ?? Self.gitHubApp()
        let person = PersonAtBrowser()
        person.now(.consents(login))
        var configuration = OAuthSession.Configuration(
            server: provider.profile, client: provider.client, scope: provider.scope, grant: .authorizationCode(person.browser),
            store: store, dependencies: dependencies)
        configuration.prompting = .manual
        return OAuthSession(configuration)
    }

    /// Rewrites the stored tokens as an earlier version would have stored them, without the ID of their sign-in.
    func forgetSignInIDs() async throws {
        for account in try await store.accounts() where account.isListed {
            guard let stored = try await store.read(account), var members = try JSONValue(strict: stored.payload.reveal()).object else {
                continue
            }
            members["sign_in"] = nil
            _ = try await store.write(Secret(JSONValue.object(members).serialized()), for: account, replacing: stored.version)
        }
    }

    /// Returns the list of an app with a signed-in user, whose window stays open.
    func listed(_ provider: AppProvider? = nil) async throws -> RepositoriesModel {
        let (app, list) = try await signedIn(provider)
        window.app = app
        return list
    }

    /// An app with a signed-in user, whose first page is loaded.
    func signedIn(_ provider: AppProvider? = nil) async throws -> (AppModel, RepositoriesModel) {
        let app = try app(provider)
        await app.restore()
        app.signIn.signIn()
        let list = try await untilListed(app)
        list.loadMore()
        await until { list.activity == nil }
        return (app, list)
    }
}

@MainActor
func untilListed(_ app: AppModel) async throws -> RepositoriesModel {
    await until { app.list != nil }
    return try #require(app.list)
}

extension AppModel {
    var list: RepositoriesModel? { if case .repositories(let model) = screen { model } else { nil } }
    var viewer: ViewerModel? { if case .viewer(let model) = screen { model } else { nil } }
    var isSignInShown: Bool { if case .signIn = screen { true } else { false } }
}

@MainActor
private final class Window {
    var app: AppModel?
}

final class Time: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { date.withLock { $0 } }

    func advance(by seconds: Double) { date.withLock { $0 += seconds } }
}
