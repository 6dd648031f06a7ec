import AuthHubPrimitives
import Testing

@testable import DevelopmentServer

struct ClaimsProviderTests {
    private static func userInfo(at flow: Flow) async throws -> JSONValue {
        let token = try await flow.tokens().access
        return try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(token)).json
    }

    private static func keys(at flow: Flow) async throws -> JSONValue {
        let metadata = try await flow.client.get(flow.server.issuer + "/claims-provider/.well-known/openid-configuration").json
        #expect(metadata["issuer"]?.string == flow.server.issuer + "/claims-provider")
        return try await flow.client.get(metadata["jwks_uri"]?.string ?? "").json
    }

    @Test func `aggregated claims are signed by the other provider`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.changeOpenIDConnect { $0.otherClaims = [.aggregated] }
            let claims = try await Self.userInfo(at: flow)
            #expect(claims["_claim_names"] == ["address": "aggregated", "phone_number": "aggregated"])
            let token = try #require(SignedToken(claims["_claim_sources"]?["aggregated"]?["JWT"]?.string))
            let keys = try await Self.keys(at: flow)
            let others = flow.server.state.keySet
            #expect(token.isSigned(byKeyIn: keys) && !token.isSigned(byKeyIn: others))
            #expect(token.claims["iss"]?.string == flow.server.issuer + "/claims-provider")
            #expect(token.claims["phone_number"] == "+1 555 0100" && token.claims["aud"] == "native-app")
        }
    }

    @Test func `the URL of distributed claims returns them only for their own access token`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.changeOpenIDConnect { $0.otherClaims = [.distributed] }
            let access = try await flow.tokens().access
            let claims = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(access)).json
            let source = try #require(claims["_claim_sources"]?["distributed"])
            let url = source["endpoint"]?.string ?? ""
            let answer = try await flow.client.get(url, headers: .bearer(source["access_token"]?.string ?? ""))
            let token = try #require(SignedToken(answer.text))
            let keys = try await Self.keys(at: flow)
            #expect(token.isSigned(byKeyIn: keys))
            #expect(token.claims["credit_score"] == 650 && token.claims["sub"] == "583231")
            let others = [try await flow.client.get(url), try await flow.client.get(url, headers: .bearer(access))]
            #expect(others.map(\.status) == [401, 401])
        }
    }

    @Test(arguments: FaultPersona.claims)
    func `each fault changes the claims of the other provider, and nothing else`(persona: FaultPersona) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.play(persona)
            let claims = try await Self.userInfo(at: flow)
            #expect(claims["sub"] == "583231" && claims["email"] == "octocat@example.com")
            let sources = try #require(claims["_claim_sources"]?.object)
            let keys = try await Self.keys(at: flow)
            var isUsual = false
            if let token = SignedToken(sources["aggregated"]?["JWT"]?.string) {
                isUsual = Self.isUsual(token, keys, flow) && claims["_claim_names"]?["sub"] == nil
            }
            if let source = sources["distributed"], let url = source["endpoint"]?.string, url.hasPrefix(flow.server.issuer) {
                let answer = try await flow.client.get(url, headers: .bearer(source["access_token"]?.string ?? ""))
                isUsual = answer.status == 200 && SignedToken(answer.text).map { Self.isUsual($0, keys, flow) } ?? false
            }
            #expect(isUsual == persona.isHarmless)
        }
    }

    private static func isUsual(_ token: SignedToken, _ keys: JSONValue, _ flow: Flow) -> Bool {
        token.isSigned(byKeyIn: keys) && token.claims["iss"]?.string == flow.server.issuer + "/claims-provider"
            && token.claims["aud"] == "native-app" && token.claims["sub"] == "583231"
            && (token.claims["exp"]?.number?.text ?? "") > token.time
            && token.claims.members.count > 5
    }
}

extension SignedToken {
    /// The time of issue.
    fileprivate var time: String { claims["iat"]?.number?.text ?? "" }
}
