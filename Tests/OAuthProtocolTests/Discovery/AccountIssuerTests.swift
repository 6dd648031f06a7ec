import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct AccountIssuerTests {
    private static let relation = "http%3A%2F%2Fopenid.net%2Fspecs%2Fconnect%2F1.0%2Fissuer"

    @Test(arguments: [
        ("joe@example.com", "https://example.com/.well-known/webfinger?resource=acct%3Ajoe%40example.com&rel=\(relation)"),
        ("acct:joe@example.com", "https://example.com/.well-known/webfinger?resource=acct%3Ajoe%40example.com&rel=\(relation)"),
        (
            "https://example.com:8080/joe",
            "https://example.com:8080/.well-known/webfinger?resource=https%3A%2F%2Fexample.com%3A8080%2Fjoe&rel=\(relation)"
        ),
    ])
    func `Discovery §2.1: an account's own host is asked for its issuer`(account: String, address: String) throws {
        #expect(try AccountIssuer.address(for: account) == address)
    }

    @Test(arguments: ["joe", "@", "joe@", "joe@a b", "http://example.com/joe", "joe@example.com/x", "https://a@example.com"])
    func `DD23: what names no host is no account`(account: String) {
        #expect(error { () throws(OAuthError) in try AccountIssuer.address(for: account) }?.code == .misuse)
    }

    private static let rel = #""rel":"http://openid.net/specs/connect/1.0/issuer""#

    private func issuer(_ body: String, status: Int = 200) throws(OAuthError) -> Issuer {
        try AccountIssuer(HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8))).issuer
    }

    @Test func `the first link to an issuer counts`() throws {
        let body = "{\"links\":[{\"rel\":\"avatar\",\"href\":\"https://a.example\"},{\(Self.rel),\"href\":\"https://as.example\"}]}"
        #expect(try issuer(body).text == "https://as.example")
    }

    @Test(arguments: [
        ("DD23 no links", 200, "{}"), ("DD23 other links", 200, #"{"links":[{"rel":"avatar","href":"https://as.example"}]}"#),
        ("DD23 a link without an address", 200, "{\"links\":[{\(rel)}]}"), ("DD23 a number", 200, "{\"links\":[{\(rel),\"href\":7}]}"),
        ("DD23 no issuer", 200, "{\"links\":[{\(rel),\"href\":\"http://as.example\"}]}"), ("DD23 no JSON", 200, "<html>"),
        ("DD23 a redirect", 302, "{}"), ("DD23 nothing", 404, "{}"),
    ])
    func `DD23: a description that does not link to an issuer is refused`(description: String, status: Int, body: String) {
        #expect(error { () throws(OAuthError) in try issuer(body, status: status) } != nil)
    }

    @Test func `DD23: the issuer that was found has to say so itself`() throws {
        let found = try issuer("{\"links\":[{\(Self.rel),\"href\":\"https://as.example\"}]}")
        let failure = error { () throws(OAuthError) in
            try ServerMetadata(HTTPResponse(status: .ok), body: Secret(Array(#"{"issuer":"https://other.example"}"#.utf8)), of: found)
        }
        #expect(failure?.code == .securityCheckFailed)
    }
}

struct ClientIDDocumentTests {
    private static let address = "https://app.example/client.json"

    @Test func `a document that is right has no findings`() {
        let document: JSONValue = ["client_id": .string(Self.address), "token_endpoint_auth_method": "none"]
        #expect(ClientIDDocument(document.object ?? JSONObject(), at: Self.address).findings.isEmpty)
    }

    @Test(arguments: [
        ("DD24 another client_id", address, #"{"client_id":"https://app.example/other.json"}"#),
        ("DD24 no client_id", address, "{}"),
        ("DD24 no path", "https://app.example", #"{"client_id":"https://app.example"}"#),
        ("DD24 a path of a slash", "https://app.example/", #"{"client_id":"https://app.example/"}"#),
        ("DD24 dots", "https://app.example/a/../c", #"{"client_id":"https://app.example/a/../c"}"#),
        ("DD24 dots in disguise", "https://app.example/a/%2e/c", #"{"client_id":"https://app.example/a/%2e/c"}"#),
        ("DD24 a fragment", "https://app.example/c#x", #"{"client_id":"https://app.example/c#x"}"#),
        ("DD24 http", "http://app.example/c", #"{"client_id":"http://app.example/c"}"#),
        ("DD24 user information", "https://a@app.example/c", #"{"client_id":"https://a@app.example/c"}"#),
        ("DD24 a secret to share", address, #"{"client_id":"\#(address)","token_endpoint_auth_method":"client_secret_post"}"#),
        ("DD24 the secret itself", address, #"{"client_id":"\#(address)","client_secret":"s"}"#),
    ])
    func `DD24: what servers would refuse is found before it is published`(description: String, address: String, body: String) throws {
        let members = try #require(try JSONValue(strict: Array(body.utf8)).object)
        let findings = ClientIDDocument(members, at: address).findings
        #expect(findings.count == 1, "\(findings)")
        #expect(findings.allSatisfy { !$0.contains("s3cret") })
    }
}
