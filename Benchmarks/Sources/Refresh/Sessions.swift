import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import Measuring
import OAuthProtocol
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OAuthSession {
    /// A session that has signed in, and the clock it goes by.
    static func signedIn(
        at server: RotatingTransport, store: any CredentialStore = MemoryCredentialStore()
    ) async throws -> (OAuthSession, MovableClock) {
        let clock = MovableClock()
        let session = OAuthSession(settings(store: store, transport: server) { clock.now })
        try await session.signIn()
        return (session, clock)
    }

    static func settings(
        store: any CredentialStore, transport: any Transport, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Settings {
        Settings(
            server: server, client: OAuthClient(id: "benchmark"), browser: browser, store: store, signIn: .manual,
            surroundings: Surroundings(transport: transport, now: now))
    }

    private static let server: ProviderProfile = {
        var server = ProviderProfile(
            name: "benchmark", displayName: "Benchmark",
            endpoints: Endpoints(authorization: "http://127.0.0.1:2/authorize", token: "http://127.0.0.1:2/token"))
        server.transport = .insecureHTTPOnLoopbackForDevelopment
        server.accountEndpoint = RotatingTransport.api
        return server
    }()

    private static let browser = ScriptedBrowser { url in
        .callback("http://127.0.0.1:49152/callback?code=benchmark-code&state=\(BenchmarkPage.state(in: url))")
    }
}

/// The system's clock, and what was added to it.
final class MovableClock: Sendable {
    private let shift = Mutex(0.0)

    var now: Date { Date().addingTimeInterval(shift.withLock { $0 }) }

    func advance(by seconds: Double) { shift.withLock { $0 += seconds } }
}

/// One record, which every account finds as its own: what sessions hold is measured, not what a store does.
struct OneRecordStore: CredentialStore {
    let record: [UInt8]

    /// The record of a session that has signed in.
    static func filled() async throws -> OneRecordStore {
        let store = MemoryCredentialStore()
        let (session, _) = try await OAuthSession.signedIn(at: RotatingTransport(), store: store)
        guard let stored = try await store.read(session.account) else { throw RefreshError.notSignedIn }
        return OneRecordStore(record: stored.payload.reveal())
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        StoredCredential(payload: Secret(record), version: .unique())
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        throw CredentialStoreError(.refused, "the one record is not written to")
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool { false }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { [] }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        CredentialLease {}
    }
}
