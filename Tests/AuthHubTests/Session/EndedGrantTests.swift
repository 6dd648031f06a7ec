import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

/// `invalid_grant` can mean that another program has already used the refresh token. In that case, the session uses the tokens that the
/// other program stored.
struct EndedGrantTests {
    @Test(arguments: [true, false])
    func `TR32: uses a newer credential if one is stored by then, and signs out otherwise`(
        hasNewer: Bool
    ) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let account = session.account
        let refused = RoutedTransport([(.any, .json(["error": "invalid_grant"], status: .badRequest))])
        setting.server.configure {
            $0.apiAnswer = { _ in LoadResponse(HTTPResponse(status: .ok)) }
            $0.atToken = { [store = setting.store] request throws(LoadError) in
                // Another program, which does not use leases, refreshes the tokens while this request is in transit.
                if hasNewer, let old = try? await store.read(account),
                    let newer = try? Credential.making("newer", issuedAt: start.addingTimeInterval(3600))
                {
                    _ = try? await store.write(newer.record, for: account, replacing: old.version)
                }
                return try await refused.send(request)
            }
        }
        setting.advance(by: 3600)
        do {
            let response = try await session.load(.get("https://api.example/"))
            #expect(hasNewer && response.status == .ok)
        } catch {
            #expect(!hasNewer && (error.underlying as? SessionError)?.code == .signInNeeded)
        }
        #expect(setting.server.apiRequests.map(\.authorization) == (hasNewer ? ["Bearer newer"] : []))
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(try await setting.store.accounts().isEmpty == !hasNewer)
        #expect(session.state.isSignedOut == !hasNewer)
    }
}
