import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Rules about a client's requests, from the tests and bugs of other libraries; see `docs/checks.md`.
struct RequestTableTests {
    struct OwnParameterRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: String
    }

    @Test(arguments: [
        OwnParameterRow(testDescription: "AppAuth: no implicit grant", name: "response_type", value: "token"),
        OwnParameterRow(testDescription: "AppAuth: no ID token from the authorization endpoint", name: "response_type", value: "id_token"),
        OwnParameterRow(testDescription: "AppAuth: no hybrid flow", name: "response_type", value: "code id_token"),
        OwnParameterRow(testDescription: "AppAuth: no plain challenge", name: "code_challenge_method", value: "plain"),
        OwnParameterRow(testDescription: "AppAuth: no custom challenge", name: "code_challenge", value: "x"),
        OwnParameterRow(testDescription: "OAuthenticator: no custom state", name: "state", value: "x"),
        OwnParameterRow(testDescription: "AppAuth: no custom nonce", name: "nonce", value: "x"),
        OwnParameterRow(testDescription: "AppAuth: no scope other than the request's own", name: "scope", value: "all"),
        OwnParameterRow(testDescription: "p2/OAuth2: no second client", name: "client_id", value: "x"),
        OwnParameterRow(testDescription: "p2/OAuth2: no second redirect URI", name: "redirect_uri", value: "https://evil.example/"),
    ])
    func `neither a caller nor a profile can set the request's own parameters`(row: OwnParameterRow) throws {
        let parameters = FormParameters([.init(name: row.name, value: row.value)])
        let byCaller = error { () throws(OAuthError) in
            try AuthorizationRequest(
                to: openIDServer, client: client, redirectURI: redirectURI, scope: ["openid"], parameters: parameters, at: now)
        }
        #expect(byCaller?.code == .misuse)
        var server = plainServer
        server.authorizationParameters = parameters
        let byProfile = error { () throws(OAuthError) in
            try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: ["openid"], at: now)
        }
        #expect(byProfile?.code == .misuse)
    }

    @Test func `AppAuth: code is the only response type`() throws {
        let query = try authorizationRequest(to: openIDServer, scope: ["openid"]).query
        #expect(query.values(named: "response_type") == ["code"])
        #expect(query.values(named: "code_challenge_method") == ["S256"])
    }

    struct ClientRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let id: String
        let secret: String?
        /// The end of the form, which contains the client's ID.
        let form: String
    }

    @Test(arguments: [
        ClientRow(testDescription: "p2/OAuth2: plain names", id: "abc", secret: "def", form: "client_id=abc&client_secret=def"),
        ClientRow(testDescription: "p2/OAuth2: an empty secret", id: "abc", secret: "", form: "client_id=abc&client_secret="),
        ClientRow(testDescription: "p2/OAuth2: no secret", id: "abc", secret: nil, form: "client_id=abc"),
        ClientRow(
            testDescription: "p2/OAuth2: spaces, slashes, ampersands and equals signs", id: "a b/c&d=e", secret: "x=y&z /",
            form: "client_id=a+b%2Fc%26d%3De&client_secret=x%3Dy%26z+%2F"),
        ClientRow(
            testDescription: "AppAuth: characters that careless encoding loses", id: "t _9V-F*I+Z1Lk.u7:2/8L+w=", secret: "%+&£€",
            form: "client_id=t+_9V-F*I%2BZ1Lk.u7%3A2%2F8L%2Bw%3D&client_secret=%25%2B%26%C2%A3%E2%82%AC"),
    ])
    func `escapes the client in the body once, and sends no header field as well`(row: ClientRow) throws {
        let client = OAuthClient(
            id: row.id, secret: row.secret.map(Secret.init), authentication: row.secret == nil ? ClientAuthenticationMethod.none : .post)
        let message = try TokenRequest.refresh(Secret("r t"), scope: [], client: client, at: plainServer).message
        let form = String(decoding: message.body.reveal(), as: UTF8.self)
        #expect(form == "grant_type=refresh_token&refresh_token=r+t&\(row.form)")
        #expect(message.head.headerFields[.authorization] == nil)
        let read = try FormParameters(decoding: form)
        #expect(read["client_id"] == row.id)
        #expect(read["client_secret"] == row.secret)
    }
}
