import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Synchronization
import WebAuthentication

/// A server, a store, a user and a clock, and sessions that share them.
struct SessionSetting: Sendable {
    let server: RotatingServer
    let store: any CredentialStore
    let browser: ScriptedBrowser
    private let time = SharedDate(start)

    init(
        store: any CredentialStore = MemoryCredentialStore(), server: RotatingServer = RotatingServer(),
        person: @escaping @Sendable (String) async -> ScriptedBrowser.Visit = consenting
    ) {
        self.store = store
        self.server = server
        browser = ScriptedBrowser(visit: person)
    }

    static let origin = Origin(scheme: "https", host: "api.example", port: 443)

    static let profile: ProviderProfile = {
        var profile = ProviderProfile(
            name: "test", displayName: "Test", issuer: "https://as.example",
            endpoints: Endpoints(
                authorization: "https://as.example/authorize", token: "https://as.example/token", revocation: "https://as.example/revoke"))
        profile.resourceOrigins = [origin]
        return profile
    }()

    /// - Parameter ahead: The number of seconds by which the session's clock is ahead of the setting's clock.
    func session(
        _ prompting: SignInPrompting = .onDemand, label: String = "default", tokenOrigins: Set<Origin> = [],
        unauthorizedPolicy: UnauthorizedPolicy = .report, ahead: Double = 0
    ) -> OAuthSession {
        var configuration = OAuthSession.Configuration(
            server: Self.profile, client: OAuthClient(id: "client"), scope: ["read"], grant: .authorizationCode(browser), store: store,
            dependencies: dependencies(ahead: ahead))
        configuration.tokenOrigins = tokenOrigins
        configuration.prompting = prompting
        configuration.unauthorizedPolicy = unauthorizedPolicy
        return OAuthSession(configuration, label: label)
    }

    /// Returns a configuration for sessions that share everything except the account.
    func configuration(_ prompting: SignInPrompting = .onDemand) -> OAuthSession.Configuration {
        var configuration = OAuthSession.Configuration(
            server: Self.profile, client: OAuthClient(id: "client"), scope: ["read"], grant: .authorizationCode(browser), store: store,
            dependencies: dependencies(ahead: 0))
        configuration.prompting = prompting
        return configuration
    }

    private func dependencies(ahead: Double) -> Dependencies {
        var dependencies = Dependencies(transport: server) { [time] in time.value.addingTimeInterval(ahead) }
        dependencies.storeRetryPauses = Self.storeRetryPauses
        return dependencies
    }

    static let storeRetryPauses = Array(repeating: Duration.zero, count: 4)

    func advance(by seconds: Double) { time.advance(by: seconds) }

    /// A session that is signed in.
    func signedIn(_ prompting: SignInPrompting = .onDemand) async throws -> OAuthSession {
        let session = session(prompting)
        try await session.signIn()
        return session
    }
}

/// A user who consents to every request.
@Sendable func consenting(_ url: String) async -> ScriptedBrowser.Visit {
    .callback("http://127.0.0.1:49152/callback?code=c0de&state=\(parameter("state", of: url))")
}

func parameter(_ name: String, of url: String) -> String {
    let query = url.split(separator: "?", maxSplits: 1).last ?? ""
    return (try? FormParameters(decoding: query))?[name] ?? ""
}

private final class SharedDate: Sendable {
    private let date: Mutex<Date>

    init(_ date: Date) {
        self.date = Mutex(date)
    }

    var value: Date { date.withLock { $0 } }

    func advance(by seconds: Double) { date.withLock { $0 += seconds } }
}

/// A gate where tasks wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let watchers = state.withLock { state in
                defer { state.watchers = [] }
                state.arrivals += 1
                if state.isOpen { return state.watchers + [continuation] }
                state.waiting.append(continuation)
                return state.watchers
            }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Waits until a task has reached the gate.
    func untilReached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals > 0 { return true }
                state.watchers.append(continuation)
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
