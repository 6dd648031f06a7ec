import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct GrantTests {
    private static let resources = ["https://api.example/a", "urn:example:b"].compactMap { ResourceIndicator($0) }

    @Test func `RFC 6749 §4.4.2: sends the client's authentication for client credentials, and names each resource`() throws {
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

    @Test func `RFC 8707 §2.2: refresh and code exchange send each resource as a separate parameter`() throws {
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
        ("empty", "", false), ("only a scheme", "https:", false), ("a space", "https://api.example/ a", false),
        ("not ASCII", "https://api.example/ä", false), ("a line feed", "https://api.example/\n", false),
        ("too long", "urn:" + String(repeating: "a", count: 2048), false),
    ])
    func `RFC 8707 §2: a resource is an absolute URI without a fragment`(description: String, text: String, isOne: Bool) {
        #expect((ResourceIndicator(text) != nil) == isOne, "\(description)")
    }

    @Test func `sends resources and details in the authorization request`() throws {
        let details = try AuthorizationDetails(json: [["type": "t"]])
        let request = try AuthorizationRequest(
            to: plainServer, client: client, redirectURI: redirectURI, scope: [], resources: Self.resources,
            authorizationDetails: details, at: now)
        #expect(try request.query.values(named: "resource").count == 2)
        #expect(try request.query["authorization_details"] == #"[{"type":"t"}]"#)
    }

    @Test(arguments: [
        ("no array", #"{"type":"a"}"#), ("no object", #"["a"]"#), ("no type", #"[{"actions":[]}]"#), ("an empty type", #"[{"type":""}]"#),
        ("a type that is not a string", #"[{"type":1}]"#),
    ])
    func `RFC 9396 §2: details are objects with a type`(description: String, text: String) throws {
        let json = try JSONValue(strict: Array(text.utf8))
        #expect(error { () throws(OAuthError) in try AuthorizationDetails(json: json) }?.code == .misuse, "\(description)")
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","authorization_details":\#(text)}"#)
        #expect(error { () throws(OAuthError) in try response.authorizationDetails() }?.code == .invalidResponse, "\(description)")
        #expect(response.accessToken == Secret("a"))
    }

    @Test(arguments: [
        ("TR39 as requested, in another order", #"[{"actions":["read"],"type":"b"},{"type":"a"}]"#, true),
        ("TR39 less", #"[{"type":"a"}]"#, false),
        ("TR39 more", #"[{"type":"a"},{"type":"b","actions":["read"]},{"type":"c"}]"#, false),
        ("TR39 other", #"[{"type":"a"},{"type":"b","actions":["write"]}]"#, false),
    ])
    func `returns the details that were granted`(description: String, text: String, matches: Bool) throws {
        let asked = try AuthorizationDetails(json: [["type": "a"], ["type": "b", "actions": ["read"]]])
        let response = try tokenResponse(#"{"access_token":"a","token_type":"Bearer","authorization_details":\#(text)}"#)
        let granted = try #require(try response.authorizationDetails())
        #expect(asked.matches(granted) == matches, "\(description)")
        #expect(try tokenResponse(#"{"access_token":"a","token_type":"Bearer"}"#).authorizationDetails() == nil)
    }

    @Test(arguments: [("TR34 scope", "invalid_scope"), ("TR34 resource", "invalid_target")])
    func `reports the name of a rejected scope or resource`(description: String, code: String) {
        let failure = error { () throws(OAuthError) in try tokenResponse(#"{"error":"\#(code)"}"#, status: 400) }
        #expect([.invalidScope, .invalidTarget].contains(failure?.serverError?.code), "\(description)")
        #expect(failure?.serverError?.code.rawValue == code)
    }
}

struct ExtensionGrantTests {
    @Test func `RFC 6749 §4.5: an extension grant sends its parameters and the client's authentication`() throws {
        let grant = try ExtensionGrant(
            type: "urn:ietf:params:oauth:grant-type:jwt-bearer", parameters: Secret(["assertion": "a.b.c"]), scope: ["read"])
        let message = try TokenRequest.extensionGrant(grant, client: client, at: plainServer).message
        #expect(try message.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        #expect(try message.form["assertion"] == "a.b.c")
        #expect(try message.form["scope"] == "read")
        #expect(message.head.headerFields[.authorization] != nil)
        #expect(!"\(grant)".contains("a.b.c"))
    }

    private static let unusable: [(String, String, FormParameters)] = [
        ("a core grant type", "password", ["username": "u"]),
        ("an empty type", "", [:]),
        ("the grant type again", "urn:g", ["grant_type": "authorization_code"]),
        ("another client", "urn:g", ["client_id": "other"]),
        ("another secret", "urn:g", ["client_secret": "s"]),
        ("a client assertion", "urn:g", ["client_assertion": "a"]),
        ("its type", "urn:g", ["client_assertion_type": "a"]),
        ("in a different case", "urn:g", ["Client_ID": "other"]),
        ("a repeated parameter", "urn:g", ["a": "1", "a": "2"]),
        ("no name", "urn:g", ["": "1"]),
    ]

    @Test(arguments: unusable)
    func `no parameter can replace the grant type or the client`(description: String, type: String, parameters: FormParameters) {
        let failure = error { () throws(OAuthError) in try ExtensionGrant(type: type, parameters: Secret(parameters)) }
        #expect(failure?.code == .misuse, "\(description)")
    }
}

struct TokenExchangeTests {
    @Test func `RFC 8693 §2.1: sends every parameter, and audience and resource once for each value`() throws {
        let exchange = TokenExchange(
            of: .init(Secret("subject"), .jwt), actor: .init(Secret("actor")), for: .accessToken,
            resources: [try #require(ResourceIndicator("https://api.example"))], audiences: ["a", "b"], scope: ["read"])
        let form = try TokenRequest.tokenExchange(exchange, client: client, at: plainServer).message.form
        #expect(
            form
                == [
                    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "resource": "https://api.example", "audience": "a",
                    "audience": "b", "scope": "read", "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
                    "subject_token": "subject", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "actor_token": "actor",
                    "actor_token_type": "urn:ietf:params:oauth:token-type:access_token",
                ])
        #expect(!"\(exchange)".contains("subject\""))
    }

    @Test(arguments: [
        ("an empty token", TokenExchange(of: .init(Secret("")))),
        ("an empty actor", TokenExchange(of: .init(Secret("a")), actor: .init(Secret("")))),
        ("a type that is not a URI", TokenExchange(of: .init(Secret("a"), TokenTypeURI(rawValue: "access_token")))),
        ("a requested type that is not a URI", TokenExchange(of: .init(Secret("a")), for: TokenTypeURI(rawValue: "jwt"))),
        ("an empty audience", TokenExchange(of: .init(Secret("a")), audiences: [""])),
    ])
    func `sends no invalid token exchange`(description: String, exchange: TokenExchange) {
        let failure = error { () throws(OAuthError) in try TokenRequest.tokenExchange(exchange, client: client, at: plainServer) }
        #expect(failure?.code == .misuse, "\(description)")
    }

    private static let jwt = "urn:ietf:params:oauth:token-type:jwt"

    private func exchanged(_ body: String) throws(OAuthError) -> TokenExchangeResponse {
        let request = try TokenRequest.tokenExchange(TokenExchange(of: .init(Secret("a"))), client: client, at: plainServer)
        return try TokenExchangeResponse(answer(200), body: bytes(body), to: request, from: plainServer, at: now)
    }

    @Test(arguments: [
        ("TR38 N_A is accepted here", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"N_A"}"#, true, nil as TokenType?),
        ("TR38 in any case", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"n_a"}"#, true, nil),
        ("an access token", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"bearer"}"#, true, .bearer),
        ("TR38 no issued_token_type", #"{"access_token":"x","token_type":"Bearer"}"#, false, nil),
        ("TR38 an empty type", #"{"access_token":"x","issued_token_type":"","token_type":"Bearer"}"#, false, nil),
        ("TR38 a type that is not a string", #"{"access_token":"x","issued_token_type":1,"token_type":"Bearer"}"#, false, nil),
        ("no token_type", #"{"access_token":"x","issued_token_type":"\#(jwt)"}"#, false, nil),
        ("an unknown token_type", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"mac"}"#, false, nil),
        ("no token", #"{"issued_token_type":"\#(jwt)","token_type":"N_A"}"#, false, nil),
    ])
    func `the response says which type was issued`(description: String, body: String, isGood: Bool, type: TokenType?) throws {
        guard isGood else {
            #expect(error { () throws(OAuthError) in try exchanged(body) }?.code == .invalidResponse, "\(description)")
            return
        }
        let response = try exchanged(body)
        #expect(response.issuedToken == Secret("x"), "\(description)")
        #expect(response.issuedTokenType == .jwt)
        #expect(response.tokenType == type)
    }

    @Test func `TR38: N_A is not a valid token type anywhere else`() {
        let failure = error { () throws(OAuthError) in
            try tokenResponse(#"{"access_token":"x","issued_token_type":"\#(Self.jwt)","token_type":"N_A"}"#)
        }
        #expect(failure?.code == .invalidResponse)
    }
}
