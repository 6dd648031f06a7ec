import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Measuring
import OAuthProtocol
import Platform
import SignedIn
import Synchronization

extension OAuthSession {
    /// Returns a session that has signed in, and its clock.
    static func signedIn(
        at server: RotatingTransport, store: any CredentialStore = MemoryCredentialStore()
    ) async throws -> (OAuthSession, MovableClock) {
        let clock = MovableClock()
        let session = OAuthSession(configuration(store: store, transport: server) { clock.now })
        try await session.signIn()
        return (session, clock)
    }

    static func configuration(
        store: any CredentialStore, transport: any Transport, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Configuration {
        var configuration = OAuthSession.Configuration(
            server: server, client: OAuthClient(id: "benchmark"), grant: .authorizationCode(ConsentingBrowser()), store: store,
            dependencies: Dependencies(transport: transport, now: now))
        configuration.prompting = .manual
        return configuration
    }

    private static let server: ProviderProfile = {
        var server = ProviderProfile(
            name: "benchmark", displayName: "Benchmark",
            endpoints: Endpoints(authorization: "http://127.0.0.1:2/authorize", token: "http://127.0.0.1:2/token"))
        server.transport = .insecureHTTPOnLoopbackForDevelopment
        server.accountEndpoint = RotatingTransport.api
        return server
    }()
}

/// The system's clock with an offset.
final class MovableClock: Sendable {
    private let shift = Mutex(0.0)

    var now: Date { Date().addingTimeInterval(shift.withLock { $0 }) }

    func advance(by seconds: Double) { shift.withLock { $0 += seconds } }
}
