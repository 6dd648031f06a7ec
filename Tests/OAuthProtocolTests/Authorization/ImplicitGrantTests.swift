import AuthHubPrimitives
import Platform
import Testing

@testable import OAuthProtocol

/// A provider whose response contains the token in the fragment.
let implicitServer: ProviderProfile = {
    var server = plainServer
    server.quirks.authorizationResponses.responseType = .token
    return server
}()

/// Every form of callback of an implicit grant. `STATE` stands for the request's own state.
struct ImplicitGrantTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let callback: String
        /// The expected error; nil if the token is accepted.
        let expected: OAuthError.Code?
        let server: ProviderProfile

        init(_ description: String, _ callback: String, _ expected: OAuthError.Code?, at server: ProviderProfile = implicitServer) {
            testDescription = description
            self.callback = callback
            self.expected = expected
            self.server = server
        }
    }

    static let base = redirectURI
    static let echoless: ProviderProfile = {
        var server = implicitServer
        server.quirks.authorizationResponses.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone = true
        return server
    }()
    static let typeless: ProviderProfile = {
        var server = implicitServer
        server.defaultTokenType = .bearer
        return server
    }()

    static let rows: [Row] = [
        Row("a token with the right state", "\(base)#access_token=abc&token_type=Bearer&expires_in=60&state=STATE", nil),
        Row("AR28 the token in the query", "\(base)?access_token=abc&token_type=Bearer&state=STATE", .securityCheckFailed),
        Row(
            "AR28 a response in the query next to the fragment", "\(base)?code=abc#access_token=abc&token_type=Bearer&state=STATE",
            .securityCheckFailed),
        Row("AR28 a code in the query instead of a token", "\(base)?code=abc&state=STATE", .securityCheckFailed),
        Row("AR28 an error in the query", "\(base)?error=access_denied&state=STATE", .securityCheckFailed),
        Row("AR28 other things in the query", "\(base)?lang=en#access_token=abc&token_type=Bearer&state=STATE", nil),
        Row("AR29 a code next to the token", "\(base)#access_token=abc&token_type=Bearer&code=c&state=STATE", .securityCheckFailed),
        Row(
            "AR29 an ID token next to the token", "\(base)#access_token=abc&token_type=Bearer&id_token=x&state=STATE", .securityCheckFailed),
        Row("AR20 a response object", "\(base)#response=e30.e30.&state=STATE", .securityCheckFailed),
        Row("AR30 no token", "\(base)#token_type=Bearer&expires_in=60&state=STATE", .invalidResponse),
        Row("AR30 an empty token", "\(base)#access_token=&token_type=Bearer&state=STATE", .invalidResponse),
        Row("AR30 only the state", "\(base)#state=STATE", .invalidResponse),
        Row("AR31 no type", "\(base)#access_token=abc&state=STATE", .invalidResponse),
        Row("AR31 an empty type", "\(base)#access_token=abc&token_type=&state=STATE", .invalidResponse),
        Row("AR31 no type, and the profile supplies it", "\(base)#access_token=abc&state=STATE", nil, at: typeless),
        Row("AR31 an unknown type", "\(base)#access_token=abc&token_type=mac&state=STATE", .invalidResponse),
        Row(
            "AR31 a different type than the profile's", "\(base)#access_token=abc&token_type=mac&state=STATE", .invalidResponse,
            at: typeless),
        Row("TR08 the type in a different case", "\(base)#access_token=abc&token_type=bEARER&state=STATE", nil),
        Row("AR32 no state", "\(base)#access_token=abc&token_type=Bearer", .securityCheckFailed),
        Row("AR32 a wrong state", "\(base)#access_token=abc&token_type=Bearer&state=STATEx", .securityCheckFailed),
        Row("AR32 the state in the query", "\(base)?state=STATE#access_token=abc&token_type=Bearer", .securityCheckFailed),
        Row("AR32 no state, and the profile says that none is returned", "\(base)#access_token=abc&token_type=Bearer", nil, at: echoless),
        Row(
            "AR04 a state that was not sent, if none is returned", "\(base)#access_token=abc&token_type=Bearer&state=x",
            .securityCheckFailed, at: echoless),
        Row("AR32 an error without a state, if none is returned", "\(base)#error=access_denied", .serverRejected, at: echoless),
        Row("AR32 an error without a state", "\(base)#error=access_denied", .securityCheckFailed),
        Row("AR33 a lifetime that is not a number", "\(base)#access_token=abc&token_type=Bearer&expires_in=soon&state=STATE", nil),
        Row("AR33 a negative lifetime", "\(base)#access_token=abc&token_type=Bearer&expires_in=-1&state=STATE", nil),
        Row("AR07 the token twice", "\(base)#access_token=abc&access_token=abd&token_type=Bearer&state=STATE", .securityCheckFailed),
        Row("AR07 the type twice", "\(base)#access_token=abc&token_type=Bearer&token_type=Bearer&state=STATE", .securityCheckFailed),
        Row("AR08 a token and an error", "\(base)#access_token=abc&token_type=Bearer&error=x&state=STATE", .serverRejected),
        Row("AR34 an equals sign in the token", "\(base)#access_token=a=b==&token_type=Bearer&state=STATE", nil),
        Row("AR34 an escaped plus", "\(base)#access_token=a%2Bb%3D&token_type=Bearer&state=STATE", nil),
        Row(
            "AR34 an unescaped plus is a space, which no token contains", "\(base)#access_token=a+b&token_type=Bearer&state=STATE",
            .invalidResponse),
        Row("AR35 a broken escape", "\(base)#access_token=a%4&token_type=Bearer&state=STATE", .invalidResponse),
        Row("AR35 overlong UTF-8", "\(base)#access_token=a%C0%AF&token_type=Bearer&state=STATE", .invalidResponse),
        Row("AR35 NUL", "\(base)#access_token=a%00b&token_type=Bearer&state=STATE", .invalidResponse),
        Row("TR05 a token with a line feed", "\(base)#access_token=a%0D%0Ab&token_type=Bearer&state=STATE", .invalidResponse),
        Row("TR05 a token with markup in UTF-8", "\(base)#access_token=%E2%80%AE&token_type=Bearer&state=STATE", .invalidResponse),
        Row("AR16 another issuer", "\(base)#access_token=abc&token_type=Bearer&state=STATE&iss=https://evil.example", .securityCheckFailed),
        Row(
            "AR43 more than 100 parameters",
            "\(base)#access_token=abc&token_type=Bearer&state=STATE" + String(repeating: "&x=1", count: 100), .invalidResponse),
        Row("AR57 unknown parameters", "\(base)#access_token=abc&token_type=Bearer&state=STATE&color=blue", nil),
    ]

    @Test(arguments: rows)
    func `checks the callback of an implicit grant as the specifications demand`(row: Row) throws {
        let request = try authorizationRequest(to: row.server)
        let callback = Secret(row.callback.replacing("STATE", with: try #require(try request.query["state"])))
        var pending = request.pending
        #expect(error { () throws(OAuthError) in try pending.accept(.url(callback), at: now) }?.code == row.expected)
    }

    @Test(arguments: [
        ("access_token=a%2Bb%3D=&token_type=bearer&expires_in=31536000&scope=one+two", "a+b==", 31_536_000.0, ["one", "two"]),
        ("access_token=x&token_type=Bearer&expires_in=99999999999999", "x", 2_147_483_648, ["read"]),
        ("access_token=x&token_type=Bearer", "x", nil, ["read"]),
    ])
    func `AR34 parses token, lifetime and scope in the fragment like a form`(
        fragment: String, token: String, lifetime: Double?, scope: [String]
    ) throws {
        let tokens = try tokens(from: fragment)
        #expect(tokens.accessToken.reveal() == token)
        #expect(tokens.expiresAt == lifetime.map { now.addingTimeInterval($0) })
        #expect(tokens.scope.names == scope)
        #expect(tokens.refreshToken == nil)
        #expect(tokens.irregularities.isEmpty)
    }

    @Test(arguments: ["soon", "-1", "1e400", "NaN", "0x10", "1,5", "inf", "true"])
    func `AR33 a lifetime that is not a number leaves the token's expiry unknown, and is reported`(lifetime: String) throws {
        let tokens = try tokens(from: "access_token=canary&token_type=Bearer&expires_in=\(lifetime)")
        #expect(tokens.expiresAt == nil)
        #expect(tokens.irregularities.count == 1)
        #expect(tokens.irregularities.allSatisfy { !$0.contains("canary") && !$0.contains(lifetime) })
    }

    @Test func `TR13 a lifetime of 0 leaves the token's expiry unknown`() throws {
        let tokens = try tokens(from: "access_token=canary&token_type=Bearer&expires_in=0")
        #expect(tokens.expiresAt == nil && tokens.irregularities.count == 1)
    }

    @Test func `ignores a refresh token in the fragment`() throws {
        let tokens = try tokens(from: "access_token=x&token_type=Bearer&refresh_token=canary&extra=1")
        #expect(tokens.refreshToken == nil && tokens.member("refresh_token") == nil)
        #expect(tokens.member("extra")?.reveal().string == "1")
        #expect(tokens.irregularities.count == 1)
    }

    @Test func `AR05: accepts the same callback once`() throws {
        let request = try authorizationRequest(to: implicitServer)
        let callback = AuthorizationCallback.url(
            Secret("\(redirectURI)#access_token=abc&token_type=Bearer&state=\(try #require(try request.query["state"]))"))
        var pending = request.pending
        #expect(pending.expects(callback))
        _ = try pending.accept(callback, at: now)
        #expect(!pending.expects(callback))
        #expect(error { () throws(OAuthError) in try pending.accept(callback, at: now) }?.code == .securityCheckFailed)
    }

    @Test func `AR32 if no state is returned, a URL without a response is not a callback`() throws {
        let pending = try authorizationRequest(to: Self.echoless).pending
        #expect(!pending.expects(Secret(redirectURI)))
        #expect(!pending.expects(Secret("\(redirectURI)#lang=en")))
        #expect(pending.expects(Secret("\(redirectURI)#access_token=a")))
    }

    @Test func `the URL of an implicit grant requests a token, and contains no challenge`() throws {
        let query = try authorizationRequest(to: implicitServer).query
        #expect(query.parameters.map(\.name) == ["response_type", "client_id", "redirect_uri", "state", "scope"])
        #expect(query["response_type"] == "token")
    }

    @Test func `a sign-in that returns tokens yields no code`() throws {
        let request = try authorizationRequest(to: implicitServer)
        var pending = request.pending
        let callback = Secret("\(redirectURI)#access_token=abc&token_type=Bearer&state=\(try #require(try request.query["state"]))")
        let failure = error { () throws(OAuthError) -> AuthorizationCode in try pending.accept(callback, at: now) }
        #expect(failure?.code == .misuse)
        #expect(pending.expects(callback))
    }

    @Test func `printing or dumping a callback never reveals the token`() throws {
        let request = try authorizationRequest(to: implicitServer)
        let state = try #require(try request.query["state"])
        var pending = request.pending
        let callback = AuthorizationCallback.url(Secret("\(redirectURI)#access_token=canary&token_type=Bearer&state=\(state)"))
        let response = try pending.accept(callback, at: now)
        var printed = "\(callback) \(response) \(pending)"
        dump(response, to: &printed)
        dump(callback, to: &printed)
        #expect(!printed.contains("canary") && !printed.contains(state))
    }

    private func tokens(from fragment: String) throws -> TokenResponse {
        let request = try authorizationRequest(to: implicitServer)
        var pending = request.pending
        let state = try #require(try request.query["state"])
        guard case .tokens(let tokens) = try pending.accept(.url(Secret("\(redirectURI)#\(fragment)&state=\(state)")), at: now) else {
            throw OAuthError(.misuse, "no tokens")
        }
        return tokens
    }
}
