import AuthHubPrimitives
import OAuthProtocol
import Testing

struct EndSessionRequestTests {
    private static func server(_ endpoint: String? = "https://as.example/logout") -> ProviderProfile {
        var server = plainServer
        server.endpoints?.endSession = endpoint
        return server
    }

    private static func request(to endpoint: String = "https://as.example/logout") throws -> EndSessionRequest {
        try #require(try EndSessionRequest(to: server(endpoint), client: client, returningTo: redirectURI))
    }

    private static func query(of request: EndSessionRequest) throws -> FormParameters {
        try FormParameters(decoding: request.url.split(separator: "?", maxSplits: 1).last ?? "")
    }

    @Test func `the request names the client and the return URL, and has its own state`() throws {
        let request = try Self.request()
        #expect(request.url.hasPrefix("https://as.example/logout?"))
        let query = try Self.query(of: request)
        #expect(query.parameters.map(\.name) == ["client_id", "post_logout_redirect_uri", "state"])
        #expect(query["client_id"] == "a client")
        #expect(query["post_logout_redirect_uri"] == redirectURI)
        #expect(try query["state"] != Self.query(of: Self.request())["state"])
        #expect(!request.url.contains("s3cret"))
    }

    @Test func `keeps the endpoint's own query`() throws {
        #expect(try Self.request(to: "https://as.example/logout?tenant=1").url.hasPrefix("https://as.example/logout?tenant=1&client_id="))
    }

    @Test(arguments: ["client_id", "post_logout_redirect_uri", "state", "id_token_hint"])
    func `AR63: rejects an endpoint whose query sets a parameter of the request`(name: String) throws {
        let failure = #expect(throws: OAuthError.self) { try Self.request(to: "https://as.example/logout?tenant=1&\(name)=x") }
        #expect(failure?.code == .configuration && failure?.explanation.contains(name) == true)
    }

    @Test func `creates no request without an endpoint, and rejects an endpoint without https`() throws {
        #expect(try EndSessionRequest(to: Self.server(nil), client: client, returningTo: redirectURI) == nil)
        let failure = #expect(throws: OAuthError.self) { try Self.request(to: "http://as.example/logout") }
        #expect(failure?.code == .configuration)
        let misuse = #expect(throws: OAuthError.self) {
            try EndSessionRequest(to: Self.server(), client: OAuthClient(id: ""), returningTo: redirectURI)
        }
        #expect(misuse?.code == .misuse)
    }

    struct Return: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The text after the redirect URI; `STATE` stands for the request's own state.
        let rest: String
        var isTaken = false
    }

    @Test(arguments: [
        Return(testDescription: "its own state", rest: "?state=STATE", isTaken: true),
        Return(testDescription: "additional parameters next to it", rest: "?session_state=x&state=STATE", isTaken: true),
        Return(testDescription: "no query", rest: ""),
        Return(testDescription: "LO01: no state", rest: "?x=y"),
        Return(testDescription: "an empty state", rest: "?state="),
        Return(testDescription: "LO01: a different state", rest: "?state=other"),
        Return(testDescription: "the state twice", rest: "?state=STATE&state=STATE"),
        Return(testDescription: "the state in the fragment", rest: "#state=STATE"),
        Return(testDescription: "another path", rest: "/elsewhere?state=STATE"),
        Return(testDescription: "a path with the same beginning", rest: "s?state=STATE"),
        Return(testDescription: "more than 64 KiB", rest: "?state=STATE&x=" + String(repeating: "x", count: 65_536)),
    ])
    func `accepts only the return that was requested`(row: Return) throws {
        let request = try Self.request()
        let state = try #require(try Self.query(of: request)["state"])
        let pieces = row.rest.split(separator: "STATE", omittingEmptySubsequences: false)
        let callback = Secret(redirectURI + pieces.joined(separator: state))
        var pending = request.pending
        #expect(pending.expects(callback) == row.isTaken)
        if row.isTaken {
            try pending.accept(callback)
        } else {
            let failure = #expect(throws: OAuthError.self) { try pending.accept(callback) }
            #expect(failure?.code == .securityCheckFailed)
        }
    }

    @Test func `accepts a return once`() throws {
        let request = try Self.request()
        let callback = Secret("\(redirectURI)?state=\(try Self.query(of: request)["state"] ?? "")")
        var pending = request.pending
        try pending.accept(callback)
        #expect(!pending.expects(callback))
        let failure = #expect(throws: OAuthError.self) { try pending.accept(callback) }
        #expect(failure?.code == .securityCheckFailed)
    }

    @Test func `reports an error of the server`() throws {
        let request = try Self.request()
        var pending = request.pending
        let callback = Secret("\(redirectURI)?error=server_error&state=\(try Self.query(of: request)["state"] ?? "")")
        let failure = #expect(throws: OAuthError.self) { try pending.accept(callback) }
        #expect(failure?.code == .serverRejected)
        #expect(failure?.serverError?.code == .serverError)
    }
}
