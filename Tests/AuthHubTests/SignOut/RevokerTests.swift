import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

@testable import AuthHub

struct RevokerTests {
    @Test(arguments: ["refresh_token", "access_token"])
    func `a server that does not revoke one kind of token is asked for the other all the same`(kind: String) async throws {
        let store = MemoryCredentialStore()
        let isRefused = RequestMatcher.post("/revoke").and("the hint") { request in
            String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("token_type_hint=\(kind)")
        }
        let transport = RoutedTransport([
            (isRefused, .json(["error": "unsupported_token_type"], status: .badRequest)), (.post("/revoke"), .status(.ok)),
        ])
        var surroundings = Surroundings(transport: transport) { start }
        surroundings.clock = LoadClock(TestClock())
        let session = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: ScriptedBrowser(visit: consenting), store: store,
            surroundings: surroundings)
        _ = try await store.overwrite(session.account, with: try Credential.making("token").record)
        guard case .failed(let error) = await session.signOut().revocation else {
            Issue.record("a refusal was not told")
            return
        }
        #expect(error.serverError?.code.rawValue == "unsupported_token_type")
        #expect(transport.requests.count == 2)
    }
}
