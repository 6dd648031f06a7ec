import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct IssuerSearchTests {
    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    @Test(arguments: [
        ("joe@example.com", "acct:joe@example.com", "example.com"), ("acct:joe@example.com", "acct:joe@example.com", "example.com"),
        ("https://example.com/joe", "https://example.com/joe", "example.com"), ("example.com", "https://example.com", "example.com"),
        ("example.com:8080", "https://example.com:8080", "example.com:8080"),
        ("example.com/joe#me", "https://example.com/joe", "example.com"),
        (" joe@Example.com ", "acct:joe@example.com", "example.com"),
    ])
    func `user input names an account or a URL, and the host to ask`(typed: String, resource: String, host: String) throws {
        let search = try IssuerSearch(for: typed)
        #expect(search.resource == resource)
        #expect(search.url.hasPrefix("https://\(host)/.well-known/webfinger?"))
        let query = try FormParameters(decoding: search.url.split(separator: "?", maxSplits: 1).last ?? "")
        #expect(query == ["resource": resource, "rel": Self.relation])
    }

    @Test(arguments: [
        "", "@example.com", "joe@", "http://example.com/", "javascript:alert(1)", "joe@evil.example/x@", "acct:joe", "a b", "joe@a b",
    ])
    func `rejects input that names neither, and sends no request`(typed: String) {
        #expect(error { () throws(OAuthError) in try IssuerSearch(for: typed) }?.code == .misuse)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var status = 200
        let expected: OAuthError.Code?
    }

    private static func links(_ links: String...) -> String {
        "{\"subject\":\"acct:joe@example.com\",\"links\":[\(links.joined(separator: ","))]}"
    }

    private static func link(_ href: String) -> String { "{\"rel\":\"\(relation)\",\"href\":\"\(href)\"}" }

    @Test(arguments: [
        Row(testDescription: "a provider", body: links(link("https://as.example")), expected: nil),
        Row(
            testDescription: "a provider among other links", body: links(#"{"rel":"me"}"#, "7", link("https://as.example")), expected: nil),
        Row(testDescription: "DD23 no links", body: "{}", expected: .invalidResponse),
        Row(
            testDescription: "DD23 a different link", body: links(#"{"rel":"me","href":"https://as.example"}"#), expected: .invalidResponse),
        Row(testDescription: "DD23 a link without a URL", body: links("{\"rel\":\"\(relation)\"}"), expected: .invalidResponse),
        Row(
            testDescription: "DD23 two providers", body: links(link("https://as.example"), link("https://evil.example")),
            expected: .invalidResponse),
        Row(testDescription: "DD23 a provider over http", body: links(link("http://as.example")), expected: .configuration),
        Row(testDescription: "DD23 a provider with a query", body: links(link("https://as.example?x=1")), expected: .configuration),
        Row(testDescription: "DD23 a redirect", body: "", status: 302, expected: .invalidResponse),
        Row(testDescription: "DD23 404", body: links(link("https://as.example")), status: 404, expected: .invalidResponse),
        Row(testDescription: "DD23 a list", body: "[]", expected: .invalidResponse),
        Row(testDescription: "DD23 duplicate links", body: #"{"links":[],"links":[]}"#, expected: .invalidResponse),
    ])
    func `a response names one provider, or is rejected`(row: Row) throws {
        let search = try IssuerSearch(for: "joe@example.com")
        let failure = error { () throws(OAuthError) in
            let issuer = try search.issuer(in: HTTPResponse(status: .init(code: row.status)), body: Secret(Array(row.body.utf8)))
            #expect(issuer.text == "https://as.example")
        }
        #expect(failure?.code == row.expected)
    }

    @Test func `DD23: rejects metadata of a different issuer than the one that was found`() throws {
        let search = try IssuerSearch(for: "joe@example.com")
        let body = Secret(Array(Self.links(Self.link("https://found.example")).utf8))
        let issuer = try search.issuer(in: HTTPResponse(status: .ok), body: body)
        #expect(
            error { () throws(OAuthError) in try metadata(issuer: "https://as.example", asked: issuer.text) }?.code == .securityCheckFailed)
    }
}
