import AuthHubPrimitives
import JOSE
@testable import OAuthProtocol
import Testing

struct HybridTests {
    private static func server(_ type: ResponseType) -> ProviderProfile {
        var server = openIDServer
        server.quirks.authorizationResponses.responseType = type
        return server
    }

    private static func request(_ type: ResponseType, scope: Scope = ["openid"]) throws -> AuthorizationRequest {
        try AuthorizationRequest(to: server(type), client: client, redirectURI: redirectURI, scope: scope, at: now)
    }

    @Test(arguments: [ResponseType.codeIDToken, .codeToken, .codeIDTokenToken, .idTokenToken])
    func `RQ09: a request for an ID token in the callback has a nonce, and asks for the fragment`(type: ResponseType) throws {
        let query = try Self.request(type).query
        #expect(query["response_type"] == type.rawValue)
        #expect((query["nonce"]?.utf8.count ?? 0) == 43)
        #expect((query["code_challenge"] != nil) == type.hasCode)
        #expect(try Self.request(type).pending.responseMode == .fragment)
    }

    @Test func `an ID token in the callback needs openid, an issuer and a key set`() throws {
        let error = #expect(throws: OAuthError.self) { try Self.request(.codeIDToken, scope: ["read"]) }
        #expect(error?.code == .configuration)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: ResponseType
        var changes: [(String, JSONValue?)] = []
        /// Whether the values in the callback are those that the ID token's hashes belong to.
        var matches = true
        /// A part of the error; nil if the callback is accepted.
        let problem: String?
    }

    @Test(arguments: [
        Row(testDescription: "a code and an ID token", type: .codeIDToken, problem: nil),
        Row(testDescription: "AR37: no c_hash", type: .codeIDToken, changes: [("c_hash", nil)], problem: "c_hash"),
        Row(testDescription: "AR37: c_hash of another code", type: .codeIDToken, matches: false, problem: "c_hash"),
        Row(
            testDescription: "AR39: s_hash of another state", type: .codeIDToken, changes: [("s_hash", "AAAAAAAAAAAAAAAAAAAAAA")],
            problem: "s_hash"),
        Row(testDescription: "a code, an ID token and a token", type: .codeIDTokenToken, problem: nil),
        Row(testDescription: "AR38, ID42: no at_hash", type: .codeIDTokenToken, changes: [("at_hash", nil)], problem: "at_hash"),
        Row(
            testDescription: "AR38: a wrong at_hash", type: .codeIDTokenToken, changes: [("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")],
            problem: "at_hash"),
        Row(testDescription: "ID36: another nonce", type: .codeIDToken, changes: [("nonce", "another")], problem: "nonce"),
    ])
    func `checks the ID token in the callback`(row: Row) async throws {
        let request = try Self.request(row.type)
        var fixture = try IDTokenFixture(at: Self.server(row.type))
        let code = "c0de"
        fixture.claims["nonce"] = try request.query["nonce"].map(JSONValue.string)
        fixture.claims["c_hash"] = SignatureAlgorithm.es256.leftHalfHash(of: Secret(row.matches ? code : "other")).map(JSONValue.string)
        fixture.claims["at_hash"] = SignatureAlgorithm.es256.leftHalfHash(of: IDTokenFixture.accessToken).map(JSONValue.string)
        for (name, value) in row.changes { fixture.claims[name] = value }
        var pending = request.pending
        var callback = "\(redirectURI)#code=\(code)&state=\(pending.state.reveal())&id_token=\(try await fixture.token().reveal())"
        if row.type.hasToken { callback += "&access_token=\(IDTokenFixture.accessToken.reveal())&token_type=Bearer" }
        let accepted = try pending.accept(Secret(callback), at: now)
        let expectation = try #require(accepted.idTokenInCallback(for: client, at: fixture.server))
        let text = try #require(accepted.idToken)
        do throws(OAuthError) {
            let token = try expectation.validate(
                text, keys: JSONWebKeySet([fixture.key.publicKey]), accessToken: accepted.accessToken, on: .signIn,
                at: now)
            #expect(row.problem == nil && token.subject == "248289761001")
        } catch {
            #expect(row.problem.map(error.explanation.contains) ?? false, "\(error)")
        }
    }

    @Test func `AR36: rejects a callback without the ID token that was requested`() throws {
        var pending = try Self.request(.codeIDToken).pending
        let callback = "\(redirectURI)#code=c0de&state=\(pending.state.reveal())"
        let error = #expect(throws: OAuthError.self) { try pending.accept(Secret(callback), at: now) }
        #expect(error?.code == .securityCheckFailed)
    }

    @Test(
        arguments: [("AR40: another user", "sub", "other"), ("AR40: another auth_time", "auth_time", .time(-2))]
            as [(String, String, JSONValue)])
    func `the ID tokens of the callback and of the token endpoint agree`(description: String, claim: String, value: JSONValue) async throws
    {
        var fixture = try IDTokenFixture()
        fixture.claims["auth_time"] = .time(-1)
        let first = try fixture.validate(await fixture.token()).get()
        var expectation = try #require(
            IDTokenExpectation(scope: ["openid"], nonce: Secret(IDTokenFixture.nonce), client: client, at: openIDServer))
        expectation.counterpart = first
        let keys = JSONWebKeySet([fixture.key.publicKey])
        let same = try await fixture.token()
        #expect(throws: Never.self) { try expectation.validate(same, keys: keys, accessToken: nil, on: .signIn, at: now) }
        fixture.claims[claim] = value
        let other = try await fixture.token()
        #expect(throws: OAuthError.self) { try expectation.validate(other, keys: keys, accessToken: nil, on: .signIn, at: now) }
    }
}
