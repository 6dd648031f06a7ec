import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct ClientCredentialsTests {
    private static let resources = ["https://api.example/a", "urn:example:b"].compactMap { ResourceIndicator($0) }

    @Test func `RFC 6749 §4.4.2: client credentials go with the client's authentication, and name each resource`() throws {
        let details = try AuthorizationDetails(json: [["type": "payment", "actions": ["read"]]])
        let message = try TokenRequest.clientCredentials(
            scope: ["read", "write"], resources: Self.resources, authorizationDetails: details, client: client, at: plainServer
        ).message
        let form = try message.form
        #expect(form["grant_type"] == "client_credentials")
        #expect(form["scope"] == "read write")
        #expect(form.values(named: "resource") == ["https://api.example/a", "urn:example:b"])
        #expect(form["authorization_details"] == #"[{"type":"payment","actions":["read"]}]"#)
        #expect(message.head.headerFields[.authorization]?.hasPrefix("Basic ") == true)
        #expect(message.head.path == "/token")
    }

    @Test func `RFC 6749 §4.4.2: a client without a secret has no client credentials`() {
        let failure = error { () throws(OAuthError) in
            try TokenRequest.clientCredentials(scope: [], client: OAuthClient(id: "public"), at: plainServer)
        }
        #expect(failure?.code == .misuse)
    }

    @Test func `RFC 8707 §2.2: refresh and code exchange name the resources, each by a parameter of its own`() throws {
        let refresh = try TokenRequest.refresh(Secret("r"), scope: [], resources: Self.resources, client: client, at: plainServer)
        #expect(try refresh.message.form.values(named: "resource").count == 2)
        var pending = try authorizationRequest().pending
        let callback = "\(redirectURI)?code=c&state=\(pending.state.reveal())"
        let code = try pending.accept(Secret(callback), at: now)
        let exchange = try TokenRequest.exchange(code, resources: Self.resources, client: client, at: plainServer)
        #expect(try exchange.message.form.values(named: "resource").count == 2)
    }

    @Test(arguments: [
        ("https", "https://api.example", true), ("with a query", "https://api.example/?a=b", true), ("a name", "urn:example:api", true),
        ("relative", "/api", false), ("a fragment", "https://api.example/#a", false), ("an empty fragment", "https://api.example/#", false),
        ("empty", "", false), ("a scheme alone", "https:", false), ("a space", "https://api.example/ a", false),
        ("not ASCII", "https://api.example/ä", false), ("a line feed", "https://api.example/\n", false),
        ("too long", "urn:" + String(repeating: "a", count: 2048), false),
    ])
    func `RFC 8707 §2: a resource is an absolute URI without fragment`(description: String, text: String, isOne: Bool) {
        #expect((ResourceIndicator(text) != nil) == isOne, "\(description)")
    }

    @Test func `resources and details stand in the authorization request`() throws {
        let details = try AuthorizationDetails(json: [["type": "t"]])
        let request = try AuthorizationRequest(
            to: plainServer, client: client, redirectURI: redirectURI, scope: [], resources: Self.resources,
            authorizationDetails: details, at: now)
        #expect(try request.query.values(named: "resource").count == 2)
        #expect(try request.query["authorization_details"] == #"[{"type":"t"}]"#)
    }

    @Test(arguments: [
        ("no array", #"{"type":"a"}"#), ("no object", #"["a"]"#), ("no type", #"[{"actions":[]}]"#), ("an empty type", #"[{"type":""}]"#),
        ("a type that is no text", #"[{"type":1}]"#),
    ])
    func `RFC 9396 §2: details are objects with a type`(description: String, text: String) throws {
        let json = try JSONValue(strict: Array(text.utf8))
        #expect(error { () throws(OAuthError) in try AuthorizationDetails(json: json) }?.code == .misuse, "\(description)")
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","authorization_details":\#(text)}"#)
        #expect(error { () throws(OAuthError) in try response.authorizationDetails() }?.code == .invalidResponse, "\(description)")
        #expect(response.accessToken == Secret("a"))
    }

    @Test(arguments: [
        ("TR39 as asked, in another order", #"[{"actions":["read"],"type":"b"},{"type":"a"}]"#, true),
        ("TR39 less", #"[{"type":"a"}]"#, false),
        ("TR39 more", #"[{"type":"a"},{"type":"b","actions":["read"]},{"type":"c"}]"#, false),
        ("TR39 other", #"[{"type":"a"},{"type":"b","actions":["write"]}]"#, false),
    ])
    func `what was granted in detail is exposed`(description: String, text: String, matches: Bool) throws {
        let asked = try AuthorizationDetails(json: [["type": "a"], ["type": "b", "actions": ["read"]]])
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","authorization_details":\#(text)}"#)
        let granted = try #require(try response.authorizationDetails())
        #expect(asked.matches(granted) == matches, "\(description)")
        #expect(try tokenResponse(#"{"access_token":"a","token_type":"Bearer"}"#).authorizationDetails() == nil)
    }

    @Test(arguments: [("TR34 scope", "invalid_scope"), ("TR34 resource", "invalid_target")])
    func `a scope or a resource that is refused is told by its name`(description: String, code: String) {
        let failure = error { () throws(OAuthError) in try tokenResponse(#"{"error":"\#(code)"}"#, status: 400) }
        #expect([.invalidScope, .invalidTarget].contains(failure?.serverError?.code), "\(description)")
        #expect(failure?.serverError?.code.rawValue == code)
    }
}
