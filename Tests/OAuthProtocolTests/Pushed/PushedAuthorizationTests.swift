import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

struct PushedAuthorizationTests {
    private static let server: ProviderProfile = {
        var server = plainServer
        server.endpoints?.pushedAuthorization = "https://as.example/par"
        return server
    }()
    private static let good = #"{"request_uri":"urn:ietf:params:oauth:request_uri:abc","expires_in":60}"#

    private func pushed(
        _ body: String = good, status: Int = 201, headers: HTTPFields = [:], from server: ProviderProfile = server
    ) throws(OAuthError) -> PushedAuthorization {
        let request = try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: ["read"], at: now)
        return try PushedAuthorizationRequest(request, client: client, at: server)
            .accept(answer(status, headers: headers), body: bytes(body), from: server, at: now)
    }

    @Test func `RFC 9126 §2.1: sends the whole request to the server, with the client's authentication`() throws {
        let request = try AuthorizationRequest(to: Self.server, client: client, redirectURI: redirectURI, scope: ["read"], at: now)
        let message = try PushedAuthorizationRequest(request, client: client, at: Self.server).message
        #expect(message.head.path == "/par")
        #expect(try message.form == request.query)
        #expect(message.head.headerFields[.authorization]?.hasPrefix("Basic ") == true)
    }

    @Test func `sends the ID of a client without a secret once`() throws {
        let client = OAuthClient(id: "public")
        let request = try AuthorizationRequest(to: Self.server, client: client, redirectURI: redirectURI, scope: [], at: now)
        let form = try PushedAuthorizationRequest(request, client: client, at: Self.server).message.form
        #expect(form.values(named: "client_id") == ["public"])
    }

    @Test(arguments: [
        ("PA01 status 202", 202, good), ("PA01 status 302", 302, good),
        ("PA02 no request_uri", 201, #"{"expires_in":60}"#), ("PA02 an empty request URI", 201, #"{"request_uri":"","expires_in":60}"#),
        ("PA02 a number", 201, #"{"request_uri":1,"expires_in":60}"#),
        ("PA02 with a line feed", 201, #"{"request_uri":"urn:a\nb","expires_in":60}"#),
        ("PA03 no lifetime", 201, #"{"request_uri":"urn:a"}"#), ("PA03 zero", 201, #"{"request_uri":"urn:a","expires_in":0}"#),
        ("PA03 negative", 201, #"{"request_uri":"urn:a","expires_in":-1}"#),
        ("PA03 a text", 201, #"{"request_uri":"urn:a","expires_in":"60"}"#),
        ("PA03 without end", 201, #"{"request_uri":"urn:a","expires_in":1e400}"#),
        ("not JSON", 201, "<html>"),
    ])
    func `rejects an invalid response`(description: String, status: Int, body: String) {
        #expect(error { () throws(OAuthError) in try pushed(body, status: status) }?.code == .invalidResponse, "\(description)")
    }

    @Test func `PA01: accepts status 200, and reports it unless the profile says so`() throws {
        var server = Self.server
        #expect(try pushed(status: 200).irregularities == ["the response to the pushed request has status 200 instead of 201"])
        server.quirks.responses.acceptsOKForPushedRequests = true
        var pushed = try pushed(status: 200, from: server)
        #expect(pushed.irregularities.isEmpty)
        #expect(try pushed.open(at: now).contains("request_uri="))
    }

    @Test(arguments: [
        ("PA04 400", 400, "invalid_request"), ("PA04 401", 401, "invalid_client"), ("PA04 403", 403, "access_denied"),
        ("PA04 413", 413, "invalid_request"), ("PA04 429", 429, "slow_down"),
    ])
    func `the server's errors keep code, status and Retry-After`(description: String, status: Int, code: String) {
        let failure = error { () throws(OAuthError) in
            try pushed(#"{"error":"\#(code)"}"#, status: status, headers: [.retryAfter: "7"])
        }
        #expect(failure?.code == .serverRejected, "\(description)")
        #expect(failure?.serverError?.code.rawValue == code)
        #expect(failure?.serverError?.status == status)
        #expect(failure?.serverError?.retryAfter == 7)
    }

    @Test func `PA05: does not open an expired request URI`() throws {
        var pushed = try pushed()
        #expect(pushed.expiresAt == now.addingTimeInterval(60))
        #expect(error { () throws(OAuthError) in try pushed.open(at: now.addingTimeInterval(60)) }?.code == .expired)
    }

    @Test func `PA06: the sign-in page's URL contains only the client and the request URI`() throws {
        var pushed = try pushed()
        let url = try pushed.open(at: now)
        #expect(url == "https://as.example/authorize?client_id=a%20client&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aabc")
    }

    @Test func `PA07: does not push a request that has a request URI`() throws {
        var server = Self.server
        server.authorizationParameters = ["request_uri": "urn:a"]
        let request = try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: [], at: now)
        let failure = error { () throws(OAuthError) in try PushedAuthorizationRequest(request, client: client, at: server) }
        #expect(failure?.code == .misuse)
    }

    @Test func `PA09: uses a request URI once`() throws {
        var pushed = try pushed()
        _ = try pushed.open(at: now)
        #expect(error { () throws(OAuthError) in try pushed.open(at: now) }?.code == .misuse)
    }

    @Test func `does not push a request of another client`() throws {
        let request = try AuthorizationRequest(to: Self.server, client: client, redirectURI: redirectURI, scope: [], at: now)
        let failure = error { () throws(OAuthError) in
            try PushedAuthorizationRequest(request, client: OAuthClient(id: "other"), at: Self.server)
        }
        #expect(failure?.code == .misuse)
    }

    struct PolicyRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: PushedAuthorizationPolicy
        var isRequired: Bool?
        let hasEndpoint: Bool
        /// nil if it must be rejected.
        let pushes: Bool?
    }

    @Test(arguments: [
        PolicyRow(testDescription: "if supported, and it is", policy: .whenSupported, hasEndpoint: true, pushes: true),
        PolicyRow(testDescription: "if supported, and it is not", policy: .whenSupported, hasEndpoint: false, pushes: false),
        PolicyRow(testDescription: "always, and it is supported", policy: .always, hasEndpoint: true, pushes: true),
        PolicyRow(testDescription: "PA08 always, and it is not", policy: .always, hasEndpoint: false, pushes: nil),
        PolicyRow(testDescription: "never, and it is not required", policy: .neverUnlessRequired, hasEndpoint: true, pushes: false),
        PolicyRow(
            testDescription: "never, and it is required", policy: .neverUnlessRequired, isRequired: true, hasEndpoint: true, pushes: true),
        PolicyRow(
            testDescription: "PA08 required without an endpoint", policy: .neverUnlessRequired, isRequired: true, hasEndpoint: false,
            pushes: nil),
        PolicyRow(
            testDescription: "PA08 required without an endpoint, if supported", policy: .whenSupported, isRequired: true,
            hasEndpoint: false, pushes: nil),
        PolicyRow(
            testDescription: "explicitly not required", policy: .neverUnlessRequired, isRequired: false, hasEndpoint: true,
            pushes: false),
    ])
    func `the server's requirement takes precedence over the policy`(row: PolicyRow) throws {
        var members: JSONObject = JSONObject()
        members["issuer"] = "https://as.example"
        members["authorization_endpoint"] = "https://as.example/authorize"
        members["token_endpoint"] = "https://as.example/token"
        if row.hasEndpoint { members["pushed_authorization_request_endpoint"] = "https://as.example/par" }
        members["require_pushed_authorization_requests"] = row.isRequired.map(JSONValue.bool)
        let issuer = try Issuer("https://as.example")
        let metadata = try ServerMetadata(answer(200), body: Secret(JSONValue.object(members).serialized()), of: issuer)
        var server = ProviderProfile.issuer(issuer).applying(metadata)
        server.pushedAuthorization = row.policy
        if let pushes = row.pushes {
            #expect(try server.pushesAuthorizationRequests() == pushes)
        } else {
            #expect(error { () throws(OAuthError) in try server.pushesAuthorizationRequests() }?.code == .configuration)
        }
    }
}
