import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// A metadata document of the plain server with additional members.
func metadata(_ more: String = "{}", issuer: String = "https://as.example", asked: String = "https://as.example", status: Int = 200)
    throws(OAuthError) -> ServerMetadata
{
    let base = """
        {"issuer":"\(issuer)","authorization_endpoint":"https://as.example/authorize","token_endpoint":"https://as.example/token"
        """
    let members = more.dropFirst().dropLast()
    let body = base + (members.isEmpty ? "" : ",") + members + "}"
    return try ServerMetadata(
        HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: try Issuer(asked))
}

struct DiscoveryTests {
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
    func `DD05: requests metadata at the URLs of both specifications, in order`(issuer: String, addresses: [String]) throws {
        #expect(try Issuer(issuer).metadataAddresses == addresses)
    }

    @Test(arguments: [
        "http://as.example", "http://127.0.0.1", "https://as.example?x=1", "https://as.example#x", "https://user@as.example", "as.example",
        "/path", "", "https://", "ftp://as.example",
    ])
    func `DD03, DD04: an issuer is an https URL without query, fragment and user information`(text: String) {
        #expect(error { () throws(OAuthError) in try Issuer(text) }?.code == .configuration)
    }

    @Test func `DD03: accepts http on loopback if allowed, and nowhere else`() throws {
        _ = try Issuer("http://127.0.0.1:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
        _ = try Issuer("http://[::1]:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
        for other in ["http://as.example", "http://127.evil.example", "http://localhost.evil.example"] {
            #expect(error { () throws(OAuthError) in try Issuer(other, transport: .insecureHTTPOnLoopbackForDevelopment) } != nil)
        }
    }

    @Test(arguments: [
        ("the same", "https://as.example", "https://as.example", true),
        ("DD02 an extra slash at the root", "https://as.example/", "https://as.example", true),
        ("DD02 a missing slash at the root", "https://as.example", "https://as.example/", true),
        ("DD02 an extra slash after a path", "https://as.example/t/", "https://as.example/t", false),
        ("DD02 one extra character", "https://as.example1", "https://as.example", false),
        ("DD02 upper case", "https://AS.example", "https://as.example", false),
        ("DD18 another issuer", "https://evil.example", "https://as.example", false),
    ])
    func `DD02: the document must belong to the requested issuer`(description: String, named: String, asked: String, isTaken: Bool) {
        let failure = error { () throws(OAuthError) in try metadata(issuer: named, asked: asked) }
        #expect(failure?.code == (isTaken ? nil : .securityCheckFailed), "\(description)")
    }

    @Test(arguments: [
        ("DD07 a redirect", 302, #"{"issuer":"https://as.example"}"#),
        ("DD08 an array", 200, "[]"),
        ("DD08 not JSON", 200, "<html>"),
        ("DD08 a duplicate member", 200, #"{"issuer":"https://as.example","issuer":"https://as.example"}"#),
        ("DD01 no issuer", 200, "{}"),
        ("DD01 an issuer that is a number", 200, #"{"issuer":7}"#),
    ])
    func `rejects an invalid document`(description: String, status: Int, body: String) throws {
        let issuer = try Issuer("https://as.example")
        let failure = error { () throws(OAuthError) in
            try ServerMetadata(HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: issuer)
        }
        #expect(failure?.code == .invalidResponse, "\(description)")
    }

    @Test(arguments: [
        "/token", "http://as.example/token", "javascript:alert(1)", "https://as.example/token#x", "https://user@as.example/token", "",
    ])
    func `DD09, DD10: an endpoint that is not a usable URL counts as missing, and the error names it`(endpoint: String) throws {
        let body = #"{"issuer":"https://as.example","authorization_endpoint":"https://as.example/a","token_endpoint":"\#(endpoint)"}"#
        let issuer = try Issuer("https://as.example")
        let profile = ProviderProfile.issuer(issuer).applying(
            try ServerMetadata(HTTPResponse(status: .ok), body: Secret(Array(body.utf8)), of: issuer))
        #expect(try profile.address(of: .authorization) == "https://as.example/a")
        let failure = error { () throws(OAuthError) in try profile.address(of: .token) }
        #expect(failure?.code == .configuration)
        #expect(failure?.explanation.contains("token_endpoint") == true)
    }

    @Test func `DD13: a member of the wrong type counts as absent`() throws {
        let metadata = try metadata(
            #"{"code_challenge_methods_supported":"S256","authorization_response_iss_parameter_supported":"true","userinfo_endpoint":7}"#)
        #expect(metadata.codeChallengeMethods == nil)
        #expect(!metadata.promisesIssuerInResponse)
        #expect(metadata.endpoints.userInfo == nil)
    }

    @Test func `a profile keeps its own endpoints and takes the others from the document`() throws {
        let document = try metadata(#"{"userinfo_endpoint":"https://api.as.example/userinfo"}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(document)
        #expect(profile.endpoints?.token == "https://as.example/token")
        #expect(
            profile.tokenOrigins == [
                Origin(scheme: "https", host: "as.example", port: 443), Origin(scheme: "https", host: "api.as.example", port: 443),
            ])
        var own = profile
        own.endpoints?.token = "https://as.example/own"
        #expect(own.applying(document).endpoints?.token == "https://as.example/own")
    }
}
