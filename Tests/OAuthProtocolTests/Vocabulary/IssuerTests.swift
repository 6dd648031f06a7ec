import Testing

@testable import OAuthProtocol

struct IssuerTests {
    @Test(arguments: [
        (
            "https://as.example",
            ["https://as.example/.well-known/oauth-authorization-server", "https://as.example/.well-known/openid-configuration"]
        ),
        (
            "https://as.example/",
            ["https://as.example/.well-known/oauth-authorization-server", "https://as.example/.well-known/openid-configuration"]
        ),
        (
            "https://as.example/tenant/7",
            [
                "https://as.example/.well-known/oauth-authorization-server/tenant/7",
                "https://as.example/.well-known/openid-configuration/tenant/7",
                "https://as.example/tenant/7/.well-known/openid-configuration",
            ]
        ),
        (
            "https://as.example:8443/t/",
            [
                "https://as.example:8443/.well-known/oauth-authorization-server/t",
                "https://as.example:8443/.well-known/openid-configuration/t",
                "https://as.example:8443/t/.well-known/openid-configuration",
            ]
        ),
    ])
    func `DD05: metadata is looked for where both standards put it, in order`(issuer: String, addresses: [String]) throws {
        #expect(try Issuer(issuer).metadataURLs == addresses)
    }

    @Test(arguments: [
        "http://as.example", "http://127.0.0.1", "https://as.example?x=1", "https://as.example#x", "https://user@as.example", "as.example",
        "/path", "", "https://", "ftp://as.example",
    ])
    func `DD03, DD04: an issuer is an https URL without query, fragment and user information`(text: String) {
        #expect(error { () throws(OAuthError) in try Issuer(text) }?.code == .configuration)
    }

    @Test func `DD03: http is taken on loopback when asked for, and nowhere else`() throws {
        _ = try Issuer("http://127.0.0.1:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
        _ = try Issuer("http://[::1]:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
        for other in ["http://as.example", "http://127.evil.example", "http://localhost.evil.example"] {
            #expect(error { () throws(OAuthError) in try Issuer(other, transport: .insecureHTTPOnLoopbackForDevelopment) } != nil)
        }
    }
}
