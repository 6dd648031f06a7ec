import AuthHubPrimitives
import JOSE
import Testing

@testable import OAuthProtocol

struct ClaimsRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let make: @Sendable (inout ClaimsRequest) -> Void
    }

    @Test(arguments: [
        Row(testDescription: "voluntary", json: #"{"userinfo":{"email":null}}"#) { $0.request("email", in: .userInfo) },
        Row(testDescription: "essential", json: #"{"id_token":{"auth_time":{"essential":true}}}"#) {
            $0.request("auth_time", in: .idToken, isEssential: true)
        },
        Row(testDescription: "one value", json: #"{"id_token":{"sub":{"value":"248289761001"}}}"#) {
            $0.request("sub", in: .idToken, values: ["248289761001"])
        },
        Row(testDescription: "several values", json: #"{"id_token":{"acr":{"essential":true,"values":["a","b"]}}}"#) {
            $0.request("acr", in: .idToken, isEssential: true, values: ["a", "b"])
        },
        Row(testDescription: "languages", json: #"{"userinfo":{"name":null,"name#ja-Kana-JP":null,"name#fr":{"essential":true}}}"#) {
            $0.request("name", in: .userInfo)
            $0.request("name", language: "ja-Kana-JP", in: .userInfo)
            $0.request("name", language: "fr", in: .userInfo, isEssential: true)
        },
        Row(testDescription: "both places", json: #"{"userinfo":{"email":null},"id_token":{"email":null}}"#) {
            $0.request("email", in: .idToken)
            $0.request("email", in: .userInfo)
        },
        Row(testDescription: "a second request for the same claim", json: #"{"userinfo":{"email":null}}"#) {
            $0.request("email", in: .userInfo, isEssential: true)
            $0.request("email", in: .userInfo)
        },
        Row(testDescription: "a quotation mark", json: #"{"userinfo":{"a\"b":{"value":5}}}"#) {
            $0.request("a\"b", in: .userInfo, values: [5])
        },
    ])
    func `OpenID Connect Core §5.5: the parameter is compact JSON`(row: Row) throws {
        var claims = ClaimsRequest()
        #expect(claims.isEmpty)
        row.make(&claims)
        let request = try request(claims)
        #expect(try request.query["claims"] == row.json)
    }

    private func request(
        _ claims: ClaimsRequest, scope: Scope = ["openid"], acrValues: [String] = [], at server: ProviderProfile = openIDServer
    ) throws(OAuthError) -> AuthorizationRequest {
        try AuthorizationRequest(
            to: server, client: client, redirectURI: redirectURI, scope: scope, acrValues: acrValues, claims: claims, at: now)
    }

    @Test func `if no claims are requested, sends only the parameter that the profile has`() throws {
        #expect(try request(ClaimsRequest()).query["claims"] == nil)
        var server = openIDServer
        server.authorizationParameters = ["claims": "{}"]
        #expect(try request(ClaimsRequest(), at: server).query["claims"] == "{}")
        var claims = ClaimsRequest()
        claims.request("email", in: .userInfo)
        #expect(try request(claims, at: server).query.values(named: "claims") == [#"{"userinfo":{"email":null}}"#])
    }

    @Test(
        arguments: [
            ("a name with a language", "name#fr", nil, "x"), ("no name", "", nil, "x"), ("an empty language", "name", "", "x"),
            ("a language with a space", "name", "fr FR", "x"), ("an acr that is a number", "acr", nil, 1),
        ] as [(String, String, String?, JSONValue)])
    func `rejects a request that servers would misread`(description: String, name: String, language: String?, value: JSONValue) {
        var claims = ClaimsRequest()
        claims.request(name, language: language, in: .idToken, values: [value])
        #expect(error { () throws(OAuthError) in try request(claims) }?.code == .misuse)
    }

    @Test func `requires the scope openid`() {
        var claims = ClaimsRequest()
        claims.request("email", in: .userInfo)
        #expect(error { () throws(OAuthError) in try request(claims, scope: ["read"]) }?.code == .misuse)
    }

    struct CheckRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var name = "acr"
        var isEssential = true
        var place = ClaimsRequest.Place.idToken
        var values: [JSONValue] = ["gold", "silver"]
        var stepUp: [String] = []
        let received: JSONValue?
        let isAccepted: Bool
    }

    @Test(arguments: [
        CheckRow(testDescription: "ID40: one of the values", received: "silver", isAccepted: true),
        CheckRow(testDescription: "ID40: another value", received: "bronze", isAccepted: false),
        CheckRow(testDescription: "ID40: no acr", received: nil, isAccepted: false),
        CheckRow(testDescription: "voluntary", isEssential: false, received: "bronze", isAccepted: true),
        CheckRow(testDescription: "essential, without values", values: [], received: nil, isAccepted: true),
        CheckRow(testDescription: "in UserInfo", place: .userInfo, received: "bronze", isAccepted: true),
        CheckRow(testDescription: "ID40: a step-up to a value", stepUp: ["bronze", "gold"], received: "gold", isAccepted: true),
        CheckRow(testDescription: "ID40: a step-up to another value", stepUp: ["bronze", "gold"], received: "silver", isAccepted: false),
        CheckRow(testDescription: "ID40: a step-up to a weaker value", stepUp: ["bronze", "gold"], received: "bronze", isAccepted: false),
        CheckRow(testDescription: "ID59: the user", name: "sub", isEssential: false, values: ["jane"], received: "jane", isAccepted: true),
        CheckRow(
            testDescription: "ID59: another user", name: "sub", isEssential: false, values: ["jane"], received: "mallory",
            isAccepted: false),
    ])
    func `the ID token must have one of the required values`(row: CheckRow) async throws {
        var claims = ClaimsRequest()
        claims.request(row.name, in: row.place, isEssential: row.isEssential, values: row.values)
        var pending = try request(claims, acrValues: row.stepUp).pending
        // The values are also required after the program has restarted.
        pending = try PendingAuthorization(serialized: pending.serialized())
        var fixture = try IDTokenFixture()
        fixture.claims["nonce"] = pending.nonce.map { .string($0.reveal()) }
        fixture.claims[row.name] = row.received
        let expectation = try #require(pending.idToken(for: client, at: openIDServer))
        let text = try await fixture.token()
        do throws(OAuthError) {
            _ = try expectation.validate(text, keys: JSONWebKeySet([fixture.key.publicKey]), accessToken: nil, on: .signIn, at: now)
            #expect(row.isAccepted)
        } catch {
            #expect(!row.isAccepted && error.code == .securityCheckFailed && error.explanation.contains(row.name), "\(error)")
        }
    }

    @Test func `ID40: a step-up to a class that the claims do not allow is rejected, because it could be a weaker one`() throws {
        var claims = ClaimsRequest()
        claims.request("acr", in: .idToken, isEssential: true, values: ["gold"])
        #expect(error { () throws(OAuthError) in try request(claims, acrValues: ["bronze"]) }?.code == .misuse)
    }

    @Test func `a required value makes the ID token necessary, even if the profile says that it may be missing`() throws {
        var server = openIDServer
        server.quirks.identity.idTokenMayBeMissing = true
        var claims = ClaimsRequest()
        claims.request("acr", in: .idToken, isEssential: true, values: ["gold"])
        #expect(try request(claims, at: server).pending.idToken(for: client, at: server)?.mayBeMissing == false)
        #expect(try request(ClaimsRequest(), at: server).pending.idToken(for: client, at: server)?.mayBeMissing == true)
        server.endpoints?.jwks = nil
        #expect(error { () throws(OAuthError) in try request(claims, at: server) }?.code == .configuration)
        #expect(try request(ClaimsRequest(), at: server).pending.idToken(for: client, at: server) == nil)
    }
}
