import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct TokenRequestTests {
    @Test func `TR43, AR56: the exchange sends code, redirect URI and verifier of the sign-in to the endpoint fixed at its start`() throws {
        let request = try authorizationRequest()
        var pending = request.pending
        let state = try #require(try request.query["state"])
        let code = try pending.accept(Secret("\(redirectURI)?code=a%2Bb&state=\(state)"), at: now)
        var changed = plainServer
        changed.endpoints?.token = "https://evil.example/token"
        let exchange = try TokenRequest.exchange(code, client: client, at: changed)
        #expect(exchange.message.head.method == .post)
        #expect(exchange.message.head.authority == "as.example")
        #expect(exchange.message.head.path == "/token")
        let form = try FormParameters(decoding: String(decoding: exchange.message.body.reveal(), as: UTF8.self))
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "a+b")
        #expect(form["redirect_uri"] == redirectURI)
        #expect(form["code_verifier"] == pending.verifier.value.reveal())
    }

    @Test func `does not exchange a code for another client`() throws {
        let request = try authorizationRequest()
        var pending = request.pending
        let state = try #require(try request.query["state"])
        let code = try pending.accept(Secret("\(redirectURI)?code=abc&state=\(state)"), at: now)
        let other = OAuthClient(id: "other")
        #expect(error { () throws(OAuthError) in try TokenRequest.exchange(code, client: other, at: plainServer) }?.code == .misuse)
    }

    @Test(arguments: [
        ("plain", "id", "secret", "Basic aWQ6c2VjcmV0"),
        ("short", "abc", "uvw", "Basic YWJjOnV2dw=="),
        ("shorter", "abc", "def", "Basic YWJjOmRlZg=="),
        ("an empty secret", "abc", "", "Basic YWJjOg=="),
        (
            "RQ08 reserved characters", "t _9V-F*I+Z1Lk.u7:2/8L+w=", "ü:%",
            "Basic dCtfOVYtRipJJTJCWjFMay51NyUzQTIlMkY4TCUyQnclM0Q6JUMzJUJDJTNBJTI1"
        ),
    ])
    func `Basic credentials are form-encoded first`(description: String, id: String, secret: String, expected: String) throws {
        let client = OAuthClient(id: id, secret: Secret(secret), authentication: .basic)
        let message = try TokenRequest.refresh(Secret("r"), scope: [], client: client, at: plainServer).message
        #expect(message.head.headerFields[.authorization] == expected, "\(description)")
        let form = try FormParameters(decoding: String(decoding: message.body.reveal(), as: UTF8.self))
        #expect(form["client_id"] == nil)
        #expect(form["client_secret"] == nil)
    }

    struct AuthenticationRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let secret: String?
        let chosen: ClientAuthenticationMethod?
        let profile: ClientAuthenticationMethod?
        let listed: String?
        let expected: ClientAuthenticationMethod?
    }

    @Test(arguments: [
        AuthenticationRow(
            testDescription: "no secret: none", secret: nil, chosen: nil, profile: nil, listed: nil,
            expected: ClientAuthenticationMethod.none),
        AuthenticationRow(
            testDescription: "DD11 a secret, no list: basic", secret: "s", chosen: nil, profile: nil, listed: nil, expected: .basic),
        AuthenticationRow(
            testDescription: "a secret, basic and post listed: basic", secret: "s", chosen: nil, profile: nil,
            listed: "\"client_secret_post\", \"client_secret_basic\"", expected: .basic),
        AuthenticationRow(
            testDescription: "a secret, post listed: post", secret: "s", chosen: nil, profile: nil, listed: "\"client_secret_post\"",
            expected: .post),
        AuthenticationRow(
            testDescription: "DD11 a secret, no known method listed: rejected", secret: "s", chosen: nil, profile: nil,
            listed: "\"private_key_jwt\"", expected: nil),
        AuthenticationRow(
            testDescription: "the profile overrides the list", secret: "s", chosen: nil, profile: .post,
            listed: "\"client_secret_basic\"", expected: .post),
        AuthenticationRow(
            testDescription: "the client overrides both", secret: "s", chosen: .basic, profile: .post, listed: "\"client_secret_post\"",
            expected: .basic),
        AuthenticationRow(
            testDescription: "a secret is required, and there is none: rejected", secret: nil, chosen: nil, profile: .post, listed: nil,
            expected: nil),
    ])
    func `TR30: chooses the client authentication beforehand, never by trial`(row: AuthenticationRow) throws {
        var server = plainServer
        server.clientAuthentication = row.profile
        if let listed = row.listed { server.metadata = try metadata("{\"token_endpoint_auth_methods_supported\": [\(listed)]}") }
        let client = OAuthClient(id: "c", secret: row.secret.map(Secret.init), authentication: row.chosen)
        guard let expected = row.expected else {
            #expect(error { () throws(OAuthError) in try ClientAuthentication(client, at: server) } != nil)
            return
        }
        #expect(try ClientAuthentication(client, at: server).method == expected)
    }
}
