import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import JOSE
import OAuthProtocol
import Testing

@testable import AuthHub

/// Sign-ins whose callback contains a code and an access token.
struct HybridSignInTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type = ResponseType.codeIDTokenToken
        /// Changes of the ID token in the callback.
        var inCallback: [(name: String, value: JSONValue?)] = []
        /// Changes of the ID token in the token response.
        var inResponse: [(name: String, value: JSONValue?)] = []
        var hasTokenEndpoint = true
        var isStoreFull = false
        /// The tokens that are revoked; nil if the sign-in succeeds.
        let revoked: [String]?
    }

    @Test(arguments: [
        Row(testDescription: "a sign-in that succeeds", revoked: nil),
        Row(testDescription: "the token endpoint does not exist", hasTokenEndpoint: false, revoked: ["front"]),
        Row(
            testDescription: "the callback has no ID token, so another server may have issued the access token", type: .codeToken,
            hasTokenEndpoint: false, revoked: []),
        Row(
            testDescription: "the ID token of the token response names another user", inResponse: [("sub", "other")],
            revoked: ["access-1", "front", "refresh-1"]),
        Row(testDescription: "the store is full", isStoreFull: true, revoked: ["access-1", "front", "refresh-1"]),
        Row(
            testDescription: "the callback's ID token is from another issuer, so this server must not see the access token",
            inCallback: [("iss", "https://other.example")], revoked: []),
    ])
    func `revokes the access token of the callback if the sign-in fails afterwards`(row: Row) async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.changes = row.inResponse }
        let store = HookedStore()
        if row.isStoreFull {
            store.configure { $0.beforeWrite = { () async throws(CredentialStoreError) in throw CredentialStoreError(.full, "full") } }
        }
        var profile = OpenIDProvider.profile
        profile.quirks.authorizationResponses.responseType = row.type
        if !row.hasTokenEndpoint { profile.endpoints?.token = OpenIDProvider.issuer + "/missing" }
        let session = provider.session(store, profile: profile) { url in
            guard let callback = try? await Self.callback(to: url, at: provider, row) else { return .cancelled }
            return .callback(callback)
        }
        do {
            try await session.signIn()
            #expect(row.revoked == nil)
            #expect(provider.revoked.isEmpty)
        } catch {
            #expect(provider.revoked.sorted() == row.revoked, "\(error)")
        }
    }

    private static func callback(to url: String, at provider: OpenIDProvider, _ row: Row) async throws -> String {
        var callback = "http://127.0.0.1:49152/callback#code=c0de&state=\(parameter("state", of: url))&access_token=front&token_type=Bearer"
        if row.type.hasIDToken {
            var claims = provider.claims()
            claims["sub"] = "jane"
            claims["c_hash"] = SignatureAlgorithm.es256.leftHalfHash(of: Secret("c0de")).map(JSONValue.string)
            claims["at_hash"] = SignatureAlgorithm.es256.leftHalfHash(of: Secret("front")).map(JSONValue.string)
            for (name, value) in row.inCallback { claims[name] = value }
            callback += "&id_token=\(try await provider.sign(claims).reveal())"
        }
        return callback
    }
}
