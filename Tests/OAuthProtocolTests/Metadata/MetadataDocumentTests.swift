import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct MetadataDocumentTests {
    @Test(arguments: [
        ("the same", "https://as.example", "https://as.example", true),
        ("DD02 a slash more at the root", "https://as.example/", "https://as.example", true),
        ("DD02 a slash less at the root", "https://as.example", "https://as.example/", true),
        ("DD02 a slash more behind a path", "https://as.example/t/", "https://as.example/t", false),
        ("DD02 one character more", "https://as.example1", "https://as.example", false),
        ("DD02 upper case", "https://AS.example", "https://as.example", false),
        ("DD18 another issuer", "https://evil.example", "https://as.example", false),
    ])
    func `DD02: the document must be of the issuer that was asked`(description: String, named: String, asked: String, isTaken: Bool) {
        let failure = error { () throws(OAuthError) in try metadata(issuer: named, asked: asked) }
        #expect(failure?.code == (isTaken ? nil : .securityCheckFailed), "\(description)")
    }

    @Test(arguments: [
        ("another name", "http://127.0.0.1:8080", "http://localhost:8080", true),
        ("a slash more", "https://as.example/a/", "https://as.example/a", true),
        ("a slash less", "https://as.example/a", "https://as.example/a/", true),
        ("another case", "https://as.example/Tenant", "https://AS.example/tenant", true),
        ("the port that is the default", "https://as.example/a", "https://as.example:443/a", true),
        ("another name, with a path", "http://[::1]:8080/a", "http://127.0.0.1:8080/a", true),
        ("another port", "http://127.0.0.1:8081", "http://localhost:8080", false),
        ("another scheme", "https://127.0.0.1:8080", "http://localhost:8080", false),
        ("another path", "http://127.0.0.1:8080/a", "http://localhost:8080", false),
        ("the same name, another path", "http://localhost:8080/a", "http://localhost:8080", false),
        ("another host", "https://as.example:8080", "http://localhost:8080", false),
    ])
    func `DD02: an error says if the server only writes the same URL in another way`(
        description: String, named: String, asked: String, isOther: Bool
    ) throws {
        let issuer = try Issuer(asked, transport: .insecureHTTPOnLoopbackForDevelopment)
        let body = Secret(Array(#"{"issuer":"\#(named)"}"#.utf8))
        let failure = error { () throws(OAuthError) in try ServerMetadata(HTTPResponse(status: .ok), body: body, of: issuer) }
        #expect(failure?.code == .securityCheckFailed, "\(description)")
        let other = failure?.underlying as? OtherIssuer
        #expect(other?.issuer == named && other?.isSameURL == isOther, "\(description)")
    }

    @Test(arguments: [
        ("DD07 a redirect", 302, #"{"issuer":"https://as.example"}"#),
        ("DD08 an array", 200, "[]"),
        ("DD08 not JSON", 200, "<html>"),
        ("DD08 a member twice", 200, #"{"issuer":"https://as.example","issuer":"https://as.example"}"#),
        ("DD01 no issuer", 200, "{}"),
        ("DD01 an issuer that is a number", 200, #"{"issuer":7}"#),
    ])
    func `a document that is none is refused`(description: String, status: Int, body: String) throws {
        let issuer = try Issuer("https://as.example")
        let failure = error { () throws(OAuthError) in
            try ServerMetadata(HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: issuer)
        }
        #expect(failure?.code == .invalidResponse, "\(description)")
    }

    @Test func `DD13: a member of the wrong type counts as absent`() throws {
        let metadata = try metadata(
            #"{"code_challenge_methods_supported":"S256","authorization_response_iss_parameter_supported":"true","userinfo_endpoint":7}"#)
        #expect(metadata.codeChallengeMethods == nil)
        #expect(!metadata.promisesIssuerInResponse)
        #expect(metadata.endpoints.userInfo == nil)
    }
}
