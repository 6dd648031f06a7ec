import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct ProtectedResourceTests {
    private func document(
        _ more: String = "", named: String = "https://api.example/v1", asked: String = "https://api.example/v1", status: Int = 200,
        matching: ResourceMatching = .identical
    ) throws(OAuthError) -> ProtectedResourceMetadata {
        let body = "{\"resource\":\"\(named)\"" + (more.isEmpty ? "" : ",\(more)") + "}"
        return try ProtectedResourceMetadata(
            HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: try ResourceIdentifier(asked), matching: matching
        )
    }

    @Test(arguments: [
        ("https://api.example", ["https://api.example/.well-known/oauth-protected-resource"]),
        ("https://api.example/", ["https://api.example/.well-known/oauth-protected-resource"]),
        (
            "https://api.example/v1",
            ["https://api.example/.well-known/oauth-protected-resource/v1", "https://api.example/.well-known/oauth-protected-resource"]
        ),
        (
            "https://api.example/v1/",
            ["https://api.example/.well-known/oauth-protected-resource/v1/", "https://api.example/.well-known/oauth-protected-resource"]
        ),
        (
            "https://api.example:8443/?k=1",
            [
                "https://api.example:8443/.well-known/oauth-protected-resource?k=1",
                "https://api.example:8443/.well-known/oauth-protected-resource",
            ]
        ),
        (
            "https://api.example/v1?k=1",
            ["https://api.example/.well-known/oauth-protected-resource/v1?k=1", "https://api.example/.well-known/oauth-protected-resource"]
        ),
    ])
    func `DD05: a resource's metadata is between host and path, where a trailing slash stays, or at the root`(
        resource: String, addresses: [String]
    ) throws {
        #expect(try ResourceIdentifier(resource).metadataURLs == addresses)
    }

    @Test(arguments: ["http://api.example", "https://a@api.example", "https://api.example/#x", "/v1", "", "javascript:alert(1)"])
    func `DD04: a resource is an https URL without user information and fragment`(text: String) {
        #expect(error { () throws(OAuthError) in try ResourceIdentifier(text) }?.code == .configuration)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asked: String
        let named: String
        let identical: Bool
        let above: Bool

        init(_ description: String, _ asked: String, _ named: String, identical: Bool = false, above: Bool) {
            testDescription = description
            self.asked = asked
            self.named = named
            self.identical = identical
            self.above = above
        }
    }

    static let rows: [Row] = [
        Row("DD19 the same", "https://api.example/v1", "https://api.example/v1", identical: true, above: true),
        Row("DD19 a slash after the host", "https://api.example", "https://api.example/", identical: true, above: true),
        Row("DD19 a slash at the end of a path", "https://api.example/v1", "https://api.example/v1/", above: true),
        Row("DD19 a parent path", "https://api.example/v1/users?page=2", "https://api.example/v1", above: true),
        Row("DD19 the whole host", "https://api.example/v1/users", "https://api.example", above: true),
        Row("DD19 a path that only has the same beginning", "https://api.example/v1users", "https://api.example/v1", above: false),
        Row("DD19 a subpath", "https://api.example/v1", "https://api.example/v1/users", above: false),
        Row("DD19 another host", "https://api.example/v1", "https://evil.example/v1", above: false),
        Row("DD19 a host that has the same beginning", "https://api.example.evil.example/", "https://api.example/", above: false),
        Row("DD19 another port", "https://api.example:8443/v1", "https://api.example/v1", above: false),
        Row("DD19 another scheme", "https://api.example/v1", "http://api.example/v1", above: false),
        Row("DD19 another query", "https://api.example/v1?a=1", "https://api.example/v1?a=2", above: false),
        Row("DD19 dot segments that lead elsewhere", "https://api.example/v1/../v2", "https://api.example/v1", above: false),
        Row("DD19 escaped dot segments", "https://api.example/v1/%2E%2e/v2", "https://api.example/v1", above: false),
        Row("DD19 upper case", "https://api.example/V1", "https://api.example/v1", above: false),
    ]

    @Test(arguments: rows)
    func `DD19: the document must name the requested resource`(row: Row) {
        for (matching, isTaken) in [
            (ResourceMatching.identical, row.identical), (.identicalOrAboveTheRequestedURLOnItsOrigin, row.above),
        ] {
            let failure = error { () throws(OAuthError) in try document(named: row.named, asked: row.asked, matching: matching) }
            #expect(failure?.code == (isTaken ? nil : .securityCheckFailed), "\(matching)")
        }
    }

    @Test(arguments: [(200, "{}"), (200, "[]"), (200, "<html>"), (200, #"{"resource":7}"#), (302, "{}"), (403, "{}")])
    func `DD08: rejects an invalid document`(status: Int, body: String) throws {
        let resource = try ResourceIdentifier("https://api.example")
        let failure = error { () throws(OAuthError) in
            try ProtectedResourceMetadata(
                HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: resource)
        }
        #expect(failure?.code == .invalidResponse)
    }

    @Test func `parses the members of RFC 9728 by their types`() throws {
        let document = try document(
            #"""
            "authorization_servers":["https://as.example","http://as.example","https://b.example/t"],"scopes_supported":["a"],
            "bearer_methods_supported":["header"],"resource_name":"An\u001b[2J API","dpop_bound_access_tokens_required":true,
            "dpop_signing_alg_values_supported":["none","ES256"],"jwks_uri":"ftp://a","signed_metadata":"a.b.c","tls_client_certificate_bound_access_tokens":1
            """#)
        #expect(document.authorizationServers.map(\.text) == ["https://as.example", "https://b.example/t"])
        #expect(document.scopes == ["a"])
        #expect(document.bearerMethods == ["header"])
        #expect(document.name?.contains("\u{1B}") == false)
        #expect(document.requiresBoundTokens)
        #expect(document.dpopAlgorithms == ["ES256"])
        #expect(
            document.diagnostics.map(\.member) == [
                "dpop_signing_alg_values_supported", "jwks_uri", "signed_metadata", "tls_client_certificate_bound_access_tokens",
                "authorization_servers",
            ])
    }

    @Test(arguments: ["", #""authorization_servers":[]"#, #""authorization_servers":["http://as.example"]"#, #""authorization_servers":7"#])
    func `DD20: throws if there is no usable authorization server`(member: String) throws {
        let document = try document(member)
        let failure = error { () throws(OAuthError) in try document.authorizationServer() }
        #expect(failure?.code == .configuration)
    }

    @Test func `DD20: the caller picks one of several servers, otherwise the first is used`() throws {
        let document = try document(#""authorization_servers":["https://a.example","https://b.example"]"#)
        #expect(try document.authorizationServer().text == "https://a.example")
        #expect(try document.authorizationServer { $0.last }.text == "https://b.example")
        let foreign = try Issuer("https://c.example")
        for picked in [nil, foreign] {
            let failure = error { () throws(OAuthError) in try document.authorizationServer { _ in picked } }
            #expect(failure?.code == .configuration)
        }
    }

    @Test func `DD21: a document from another host must name the requested resource`() throws {
        let resource = try ResourceIdentifier("https://api.example/v1")
        var search = MetadataSearch(of: resource, at: "https://metadata.example/api")
        #expect(search.url == "https://metadata.example/api")
        let other = Secret(Array(#"{"resource":"https://metadata.example/api"}"#.utf8))
        let failure = error { () throws(OAuthError) in try search.accept(HTTPResponse(status: .ok), body: other) }
        #expect(failure?.code == .securityCheckFailed)
        let own = Secret(Array(#"{"resource":"https://api.example/v1"}"#.utf8))
        #expect(try search.accept(HTTPResponse(status: .ok), body: own)?.resource == "https://api.example/v1")
    }

    @Test(arguments: [
        (#"Bearer resource_metadata="https://api.example/m""#, "https://api.example/m"),
        (#"DPoP algs="ES256", resource_metadata="https://m.example/""#, "https://m.example/"),
        (#"Bearer resource_metadata="/m""#, nil), (#"Bearer resource_metadata="javascript:alert(1)""#, nil),
        (#"Bearer resource_metadata="https://a@api.example/m""#, nil), (#"Bearer resource_metadata="https://api.example/m#x""#, nil),
        (#"Basic resource_metadata="https://api.example/m""#, nil), ("Bearer", nil),
    ])
    func `RFC 9728 §5.1: a challenge contains the URL of the metadata`(field: String, expected: String?) {
        var head = HTTPResponse(status: .unauthorized)
        head.headerFields[.wwwAuthenticate] = field
        let challenges = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init)
        #expect(challenges.first?.resourceMetadata == expected)
    }
}
