import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

struct IntrospectionTests {
    private static let server: ProviderProfile = {
        var server = plainServer
        server.endpoints?.introspection = "https://as.example/introspect"
        return server
    }()

    @Test func `RFC 7662 §2.1: sends the token in the body, with its hint and the client's authentication`() throws {
        let message = try IntrospectionRequest(Secret("a token"), hint: .accessToken, client: client, at: Self.server).message
        #expect(message.head.path == "/introspect")
        #expect(try message.form == ["token": "a token", "token_type_hint": "access_token"])
        #expect(message.head.headerFields[.authorization]?.hasPrefix("Basic ") == true)
    }

    @Test func `RQ07: sends the bearer token that authorizes the request in the header`() throws {
        let message = try IntrospectionRequest(Secret("a"), authorizedBy: Secret("b"), at: Self.server).message
        #expect(message.head.headerFields[.authorization] == "Bearer b")
        #expect(try message.form == ["token": "a"])
    }

    @Test(arguments: [("empty", ""), ("a line feed", "a\nb"), ("a space", "a b")])
    func `rejects an authorizing value that is not a token`(description: String, token: String) {
        let failure = error { () throws(OAuthError) in
            try IntrospectionRequest(Secret("a"), authorizedBy: Secret(token), at: Self.server)
        }
        #expect(failure?.code == .misuse, "\(description)")
    }

    @Test(arguments: [("no endpoint", nil as String?), ("http", "http://as.example/introspect")])
    func `does not send a token without encryption`(description: String, endpoint: String?) {
        var server = plainServer
        server.endpoints?.introspection = endpoint
        let failure = error { () throws(OAuthError) in try IntrospectionRequest(Secret("a"), client: client, at: server) }
        #expect(failure?.code == .configuration, "\(description)")
    }

    private func response(_ body: String, status: Int = 200) throws(OAuthError) -> IntrospectionResponse {
        try IntrospectionResponse(
            answer(status), body: bytes(body), to: IntrospectionRequest(Secret("a token"), client: client, at: Self.server),
            from: Self.server,
            at: now)
    }

    @Test(arguments: [
        ("IN01 no active", "{}", 200), ("IN01 a text", #"{"active":"true"}"#, 200), ("IN01 a number", #"{"active":1}"#, 200),
        ("IN01 null", #"{"active":null}"#, 200), ("an expiry that is a string", #"{"active":true,"exp":"soon"}"#, 200),
        ("an expiry too large to represent", #"{"active":true,"exp":1e400}"#, 200),
        ("a start time that is true", #"{"active":true,"nbf":true}"#, 200),
        ("status 201", #"{"active":true}"#, 201), ("a page", "<html>", 200), ("active twice", #"{"active":true,"active":false}"#, 200),
    ])
    func `rejects a response without the member active`(description: String, body: String, status: Int) {
        #expect(error { () throws(OAuthError) in try response(body, status: status) }?.code == .invalidResponse, "\(description)")
    }

    @Test func `IN01: reports nothing about an inactive token`() throws {
        let response = try response(#"{"active":false,"sub":"1","scope":"admin","exp":"x"}"#)
        #expect(!response.isActive)
        #expect(!response.isValid(at: now))
        #expect(response.subject == nil && response.scope == nil && response.members.members.isEmpty)
    }

    @Test func `RFC 7662 §2.2: the members have types, and unknown ones are kept`() throws {
        let response = try response(
            """
            {"active":true,"scope":"read write","client_id":"c","username":"u","token_type":"Bearer","exp":1800000060,"iat":1799999000,
            "nbf":1799999000.5,"sub":"s","aud":["a","b"],"iss":"https://as.example","jti":"j","extension_field":"twenty-seven"}
            """)
        #expect(response.isActive && response.isValid(at: now))
        #expect(!response.isValid(at: now.addingTimeInterval(60)))
        #expect(!response.isValid(at: now.addingTimeInterval(-1000)))
        #expect(response.scope == ["read", "write"])
        #expect(response.expiresAt == now.addingTimeInterval(60))
        #expect(response.issuedAt == now.addingTimeInterval(-1000))
        #expect([response.clientID, response.username, response.tokenType] == ["c", "u", "Bearer"])
        #expect([response.subject, response.issuer, response.tokenID] == ["s", "https://as.example", "j"])
        #expect(response.audience == ["a", "b"])
        #expect(response.members["extension_field"] == "twenty-seven")
    }

    @Test func `a single audience may be a string`() throws {
        #expect(try response(#"{"active":true,"aud":"a"}"#).audience == ["a"])
    }

    @Test func `a rejection has a typed error`() {
        let failure = error { () throws(OAuthError) in try response(#"{"error":"invalid_client"}"#, status: 401) }
        #expect(failure?.serverError?.code == .invalidClient)
    }
}
