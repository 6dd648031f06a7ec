import AuthHubPrimitives
import Platform
import Testing

@testable import OAuthProtocol

struct AuthorizationRequestTests {
    @Test func `the URL carries client ID, redirect URI, scope, a fresh state and a fresh S256 challenge`() throws {
        let request = try authorizationRequest(scope: ["read", "write"])
        let query = try request.query
        #expect(request.url.hasPrefix("https://as.example/authorize?"))
        #expect(query["response_type"] == "code")
        #expect(query["client_id"] == "a client")
        #expect(query["redirect_uri"] == redirectURI)
        #expect(query["scope"] == "read write")
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["code_challenge"] == request.pending.verifier.challenge)
        #expect(!request.url.contains(request.pending.verifier.value.reveal()))
        let names = query.parameters.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `RQ01, RQ11: state, nonce and verifier are 43 unreserved characters, and never repeat`() throws {
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let request = try authorizationRequest(to: openIDServer, scope: ["openid"])
            let query = try request.query
            let values = [query["state"], query["nonce"], request.pending.verifier.value.reveal()]
            for value in values {
                let value = try #require(value)
                #expect(value.utf8.count == 43)
                #expect(value.utf8.allSatisfy { $0.isUnreserved })
                #expect(seen.insert(value).inserted)
            }
        }
    }

    @Test func `a lifetime is exact to the fraction of a second`() throws {
        let request = try AuthorizationRequest(
            to: plainServer, client: client, redirectURI: redirectURI, scope: [], at: now, lifetime: .milliseconds(500))
        #expect(request.pending.expiresAt == now.addingTimeInterval(0.5))
    }

    @Test func `a lifetime is at most a year, so that every sign-in can be serialized`() throws {
        let request = try AuthorizationRequest(
            to: plainServer, client: client, redirectURI: redirectURI, scope: [], at: now, lifetime: .seconds(Int64.max))
        #expect(request.pending.expiresAt == now.addingTimeInterval(365 * 86_400))
        _ = try request.pending.serialized()
    }

    @Test func `sends a nonce only with the openid scope`() throws {
        #expect(try authorizationRequest(scope: ["read"]).query["nonce"] == nil)
    }

    @Test func `AR55: keeps the endpoint's own query`() throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?tenant=7"
        #expect(try authorizationRequest(to: server).url.hasPrefix("https://as.example/authorize?tenant=7&response_type=code&"))
    }

    @Test(arguments: [
        "redirect_uri", "code_challenge", "code_challenge_method", "state", "scope", "response_type", "client_id", "nonce", "response_mode",
        "request", "request_uri", "STATE", "%73tate", "login_hint",
    ])
    func `AR63: rejects an endpoint whose query sets a parameter of the request, before a browser opens`(name: String) throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?tenant=7&\(name)=x"
        let failure = error { () throws(OAuthError) in
            try AuthorizationRequest(
                to: server, client: client, redirectURI: redirectURI, scope: [], parameters: ["login_hint": "octocat"], at: now)
        }
        #expect(failure?.code == .configuration)
        #expect(failure?.explanation.contains(name.replacing("%73", with: "s")) == true)
    }

    @Test func `AR63: rejects a query that cannot be parsed`() throws {
        var server = plainServer
        server.endpoints?.authorization = "https://as.example/authorize?state=x&a=%00"
        #expect(error { () throws(OAuthError) in try request(to: server) }?.code == .configuration)
    }

    @Test func `AR54: rejects a server whose list of challenge methods lacks S256, before a browser opens`() throws {
        var server = plainServer
        server.metadata = try metadata("{\"code_challenge_methods_supported\": [\"plain\"]}")
        #expect(error { () throws(OAuthError) in try request(to: server) }?.code == .configuration)
    }

    @Test(arguments: [
        ("AR55: with a fragment", "https://as.example/authorize#top"),
        ("http", "http://as.example/authorize"),
        ("http on loopback, not allowed", "http://127.0.0.1/authorize"),
        ("another scheme", "javascript:alert(1)"),
        ("relative", "/authorize"),
        ("user information", "https://user@as.example/authorize"),
        ("a space", "https://as.example/ authorize"),
    ])
    func `DD09: an unusable authorization endpoint stops the sign-in`(description: String, endpoint: String) {
        var server = plainServer
        server.endpoints?.authorization = endpoint
        #expect(error { () throws(OAuthError) in try request(to: server) }?.code == .configuration, "\(description)")
    }

    @Test func `a caller's parameter cannot replace one of the request's own`() {
        let failure = error { () throws(OAuthError) in
            try AuthorizationRequest(
                to: plainServer, client: client, redirectURI: redirectURI, scope: [], parameters: ["state": "mine"], at: now)
        }
        #expect(failure?.code == .misuse)
    }

    private func request(to server: ProviderProfile) throws(OAuthError) -> AuthorizationRequest {
        try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: [], at: now)
    }
}
