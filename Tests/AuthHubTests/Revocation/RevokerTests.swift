import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct RevokerTests {
    @Test(arguments: ["refresh_token", "access_token"])
    func `asks a server that does not revoke one kind of token to revoke the other kind`(kind: String) async throws {
        let store = MemoryCredentialStore()
        let isRefused = RequestMatcher.post("/revoke").and("the hint") { request in
            String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("token_type_hint=\(kind)")
        }
        let transport = RoutedTransport([
            (isRefused, .json(["error": "unsupported_token_type"], status: .badRequest)), (.post("/revoke"), .status(.ok)),
        ])
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.clock = LoadClock(TestClock())
        let session = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: ScriptedBrowser(visit: consenting), store: store,
            dependencies: dependencies)
        _ = try await store.overwrite(session.account, with: try Credential.making("token").record)
        guard case .failed(let error) = await session.signOut().revocation else {
            Issue.record("a refusal was not told")
            return
        }
        #expect(error.serverError?.code.rawValue == "unsupported_token_type")
        #expect(transport.requests.count == 2)
    }

    struct Ended: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refresh: ScriptedAnswer
        /// The access token that the revocation request names; nil for none.
        let told: String?
        let isDone: Bool
    }

    @Test(arguments: [
        Ended(
            testDescription: "it is refreshed", refresh: .json(["access_token": "new", "token_type": "bearer", "refresh_token": "next"]),
            told: "new", isDone: true),
        Ended(
            testDescription: "the grant is revoked, too", refresh: .json(["error": "bad_refresh_token"]), told: nil, isDone: true),
        Ended(testDescription: "no response arrives", refresh: .failure(.connectionLost), told: nil, isDone: false),
    ])
    func `refreshes an expired access token that is the only way to identify the grant, in order to revoke it`(row: Ended) async throws {
        let store = MemoryCredentialStore()
        let transport = RoutedTransport([(.post("/login/oauth/access_token"), row.refresh), (.any, .status(.noContent))])
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.clock = LoadClock(TestClock())
        let session = OAuthSession(
            server: .gitHubApp, client: OAuthClient(id: "client", secret: Secret("s")), browser: ScriptedBrowser(visit: consenting),
            store: store, dependencies: dependencies)
        let credential = try Credential.making("old", issuedAt: start - 100_000)
        _ = try await store.overwrite(session.account, with: credential.record)
        let revocation = await session.signOut().revocation
        if case .done = revocation { #expect(row.isDone) } else { #expect(!row.isDone, "\(revocation)") }
        let told = transport.requests.filter { $0.head.method == .delete }.map { request in
            (try? JSONValue(strict: request.body.bytes ?? []))?["access_token"]?.string
        }
        #expect(told == row.told.map { [$0] } ?? [])
    }
}
