import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct ThirdPartyLoginTests {
    private static func login(_ query: String, method: HTTPRequest.Method = .get) throws -> ThirdPartyLogin {
        let isForm = method == .post
        let request = HTTPRequest(
            method: method, scheme: "https", authority: "client.example", path: isForm ? "/login" : "/login?\(query)")
        return try ThirdPartyLogin(
            request, body: isForm ? Array(query.utf8) : [], knownIssuers: ["https://as.example", "https://other.example"],
            targetOrigins: [Origin(scheme: "https", host: "client.example", port: 443)])
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `LO09: accepts a known issuer, a hint and a page of the program`(method: HTTPRequest.Method) throws {
        let query = "iss=https%3A%2F%2Fas.example&login_hint=jane&target_link_uri=https%3A%2F%2Fclient.example%2Fmail"
        let login = try Self.login(query, method: method)
        #expect(login.issuer == "https://as.example")
        #expect(login.loginHint == "jane")
        #expect(login.target == "https://client.example/mail")
        #expect(try Self.login("iss=https://other.example").target == nil)
    }

    @Test(arguments: [
        ("LO09: an unknown issuer", "iss=https://evil.example", OAuthError.Code.securityCheckFailed),
        ("LO09: a slash after the issuer", "iss=https://as.example/", .securityCheckFailed),
        ("LO09: a page of another site", "iss=https://as.example&target_link_uri=https://evil.example", .securityCheckFailed),
        ("LO09: a host that only begins alike", "iss=https://as.example&target_link_uri=https://client.example.evil", .securityCheckFailed),
        ("LO09: another scheme", "iss=https://as.example&target_link_uri=http://client.example/", .securityCheckFailed),
        ("LO09: a relative page", "iss=https://as.example&target_link_uri=//evil.example", .securityCheckFailed),
        ("LO09: a script", "iss=https://as.example&target_link_uri=javascript:alert(1)", .securityCheckFailed),
        ("no issuer", "login_hint=jane", .invalidResponse), ("nothing", "", .invalidResponse),
        ("two issuers", "iss=https://as.example&iss=https://other.example", .invalidResponse),
    ])
    func `rejects a request that leads elsewhere`(description: String, query: String, code: OAuthError.Code) {
        let error = #expect(throws: OAuthError.self) { try Self.login(query) }
        #expect(error?.code == code)
    }

    @Test func `rejects a method that is not GET or POST`() {
        let error = #expect(throws: OAuthError.self) { try Self.login("iss=https://as.example", method: .put) }
        #expect(error?.code == .invalidResponse)
    }
}
