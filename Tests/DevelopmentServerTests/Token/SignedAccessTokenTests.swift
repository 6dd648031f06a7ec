import AuthHubPrimitives
@testable import DevelopmentServer
import Platform
import Testing

/// Signed access tokens (RFC 9068).
struct SignedAccessTokenTests {
    private static let instant = Date(timeIntervalSince1970: 1_800_000_000)
    private static let configuration = DevelopmentServerConfiguration(
        persona: .openID, lifetimes: .init(accessToken: .seconds(900)), now: { instant })

    @Test func `an access token for a resource is signed, and works as any other`() async throws {
        try await Flow.run(Self.configuration) { flow in
            let code = try await flow.code(scope: "openid user", changing: ["resource": "https://api.example"])
            let answer = try await flow.exchange(code)
            let text = try #require(answer.json["access_token"]?.string)
            let token = try #require(SignedToken(text))
            let keys = try await flow.client.get(flow.server.issuer + "/jwks").json
            #expect(token.isSigned(byKeyIn: keys) && token.header["typ"] == "at+jwt")
            #expect(token.claims["iss"] == .string(flow.server.issuer) && token.claims["aud"] == "https://api.example")
            #expect(token.claims["client_id"] == .string(flow.server.clients[0].id) && token.claims["scope"] == "openid user")
            #expect(token.claims["iat"] == 1_800_000_000 && token.claims["exp"] == 1_800_000_900)
            let identity = try #require(SignedToken(answer.json["id_token"]?.string))
            #expect(identity.claims["sub"] == token.claims["sub"] && identity.hasHash(of: text))
            #expect(try await flow.status(ofAccessToken: text) == 200)

            let refresh: FormParameters = ["grant_type": "refresh_token", "refresh_token": answer.json["refresh_token"]?.string ?? ""]
            let refreshed = SignedToken(try await flow.token(refresh).json["access_token"]?.string)
            #expect(refreshed?.claims["aud"] == "https://api.example" && refreshed?.claims["jti"] != token.claims["jti"])
            flow.server.faults.revokeAllAccessTokens()
            #expect(try await flow.status(ofAccessToken: text) == 401)
        }
    }

    @Test func `the token of a client itself names the client, and the resources that the request names`() async throws {
        try await Flow.run(Self.configuration) { flow in
            let client = try #require(flow.server.clients.first { $0.secret != nil })
            var form: FormParameters = ["grant_type": "client_credentials", "scope": "repo"]
            for resource in ["https://api.example", "https://other.example"] { form.append("resource", resource) }
            let token = try #require(SignedToken(try await flow.token(form, client: client).json["access_token"]?.string))
            #expect(token.claims["sub"] == .string(client.id) && token.claims["auth_time"] == nil)
            #expect(token.claims["aud"] == ["https://api.example", "https://other.example"])
        }
    }

    @Test func `a signed access token is no hint about the user who signs out`() async throws {
        try await Flow.run(Self.configuration) { flow in
            let code = try await flow.code(scope: "openid user", changing: ["resource": "https://api.example"])
            let answer = try await flow.exchange(code).json
            let tokens = try ["id_token", "access_token"].map { try #require(answer[$0]?.string) }
            let isKnown = tokens.map { flow.server.state.claims(ofToken: $0) != nil }
            #expect(isKnown == [true, false])
        }
    }

    @Test func `without a resource, access tokens are opaque`() async throws {
        try await Flow.run(Self.configuration) { flow in
            let answer = try await flow.exchange(try await flow.code())
            #expect(answer.json["access_token"]?.string?.contains(".") == false)
        }
    }
}
