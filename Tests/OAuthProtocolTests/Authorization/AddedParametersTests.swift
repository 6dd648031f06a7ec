import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// The parameters that a caller adds to an authorization request.
struct AddedParametersTests {
    private func request(_ parameters: FormParameters, to server: ProviderProfile = plainServer) throws(OAuthError) -> AuthorizationRequest
    {
        try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: ["read"], parameters: parameters, at: now)
    }

    @Test func `sends them, encoded, in the URL and in a pushed request`() throws {
        let request = try request(["login_hint": "mona+lisa@example.com", "prompt": "login consent", "ui_locales": "de fr"])
        let query = try request.query
        #expect(query["login_hint"] == "mona+lisa@example.com")
        #expect(query["prompt"] == "login consent")
        #expect(query["ui_locales"] == "de fr")
        #expect(request.url.contains("login_hint=mona%2Blisa%40example.com"))
        var server = plainServer
        server.endpoints?.pushedAuthorization = "https://as.example/par"
        let body = try PushedAuthorizationRequest(request, client: client, at: server).message.body.reveal()
        let form = try FormParameters(decoding: String(decoding: body, as: UTF8.self))
        #expect(form["login_hint"] == "mona+lisa@example.com" && form["prompt"] == "login consent" && form["ui_locales"] == "de fr")
    }

    @Test func `RQ16: they replace the profile's parameters of the same name, and no others`() throws {
        var server = plainServer
        server.authorizationParameters = ["prompt": "consent", "audience": "api", "access_type": "offline"]
        let query = try request(["prompt": "login", "audience": "other"], to: server).query
        #expect(query.values(named: "prompt") == ["login"])
        #expect(query.values(named: "audience") == ["other"])
        #expect(query.values(named: "access_type") == ["offline"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parameters: FormParameters
        /// A part of the error.
        let problem: String

        init(_ testDescription: String, _ parameters: FormParameters, _ problem: String) {
            self.testDescription = testDescription
            self.parameters = parameters
            self.problem = problem
        }

        init(own name: String, _ reason: String) {
            var parameters = FormParameters()
            parameters.append(name, "x")
            self.init("\(name): \(reason)", parameters, "the parameter \(name) cannot be added to a sign-in")
        }
    }

    @Test(arguments: [
        Row(own: "nonce", "set only with openid"),
        Row(own: "response_mode", "set only if it is not the default"),
        Row(own: "request", "would replace the whole request"),
        Row(own: "request_uri", "would replace the whole request"),
        Row(own: "code_challenge", "PKCE"),
        Row(own: "STATE", "some servers ignore case"),
        Row(own: "max_age", "an unchecked value next to the argument"),
        Row(own: "acr_values", "an unchecked value next to the argument"),
        Row(own: "client_secret", "a secret in a URL"),
        Row(own: "client_assertion", "a secret in a URL"),
        Row("a name twice", ["ui_locales": "de", "ui_locales": "fr"], "the parameter ui_locales is given twice"),
        Row("no name", ["": "x"], "an additional parameter has no name"),
        Row("none next to another prompt", ["prompt": "login none"], "the prompt value none cannot be combined"),
    ])
    func `RQ16, RQ17: rejects parameters of its own, and says which`(row: Row) {
        let failure = error { () throws(OAuthError) in try request(row.parameters) }
        #expect(failure?.code == .misuse)
        #expect(failure?.explanation.contains(row.problem) == true, "\(failure?.explanation ?? "accepted")")
    }

    @Test func `RQ16: rejects the name under which a provider knows a parameter of the request`() {
        var server = plainServer
        server.quirks.requests.names = ["client_id": "client_key"]
        let failure = error { () throws(OAuthError) in try request(["client_key": "x"], to: server) }
        #expect(failure?.code == .misuse)
        #expect(failure?.explanation == "the parameter client_key is already set by the request")
    }

    @Test func `RQ17: accepts none as the only prompt`() throws {
        #expect(try request(["prompt": "none"]).query["prompt"] == "none")
    }
}
