import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct ClientIDDocumentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let address: String
        /// The document; nil for a valid document for the URL.
        let document: String?
        let expected: Set<ClientIDDocument.Problem>

        init(_ description: String, _ address: String, _ document: String? = nil, is expected: ClientIDDocument.Problem...) {
            testDescription = description
            self.address = address
            self.document = document
            self.expected = Set(expected)
        }
    }

    private static let good = "https://app.example/client.json"

    @Test(arguments: [
        Row("a valid document", good),
        Row("with a port and a query", "https://app.example:8443/clients?id=7"),
        Row("DD24 at http", "http://app.example/client.json", is: .urlIsNotHTTPS),
        Row("DD24 a host name instead of a URL", "my-client", is: .urlIsNotHTTPS),
        Row("DD24 user information", "https://me@app.example/client.json", is: .urlIsNotHTTPS),
        Row("DD24 no path", "https://app.example", is: .urlHasNoPath),
        Row("DD24 an empty path", "https://app.example/", is: .urlHasNoPath),
        Row("DD24 an empty path with a query", "https://app.example/?id=7", is: .urlHasNoPath),
        Row("DD24 two dots", "https://app.example/a/../client.json", is: .urlHasDotSegments),
        Row("DD24 a dot", "https://app.example/./client.json", is: .urlHasDotSegments),
        Row("DD24 escaped dot segments", "https://app.example/a/%2E%2e/client.json", is: .urlHasDotSegments),
        Row("dots within a name", "https://app.example/a..b/.well-known"),
        Row("DD24 a fragment", "https://app.example/client.json#me", is: .urlHasFragment),
        Row("DD24 no JSON", good, "<html>", is: .isNotObject),
        Row("DD24 a list", good, "[]", is: .isNotObject),
        Row("DD24 a duplicate member", good, "{\"client_id\":\"\(good)\",\"client_id\":\"\(good)\"}", is: .isNotObject),
        Row("DD24 no client ID", good, "{}", is: .namesAnotherClient),
        Row("DD24 a client ID that is a number", good, #"{"client_id":7}"#, is: .namesAnotherClient),
        Row("DD24 a different client ID", good, #"{"client_id":"https://app.example/client.json/"}"#, is: .namesAnotherClient),
        Row("DD24 in upper case", good, #"{"client_id":"https://APP.example/client.json"}"#, is: .namesAnotherClient),
        Row(
            "DD24 Basic credentials", good, "{\"client_id\":\"\(good)\",\"token_endpoint_auth_method\":\"client_secret_basic\"}",
            is: .authenticatesBySharedSecret),
        Row(
            "DD24 authentication with a shared secret", good,
            "{\"client_id\":\"\(good)\",\"token_endpoint_auth_method\":\"client_secret_jwt\"}", is: .authenticatesBySharedSecret),
        Row("authentication with its own key", good, "{\"client_id\":\"\(good)\",\"token_endpoint_auth_method\":\"private_key_jwt\"}"),
        Row("DD24 a secret", good, "{\"client_id\":\"\(good)\",\"client_secret\":\"s\"}", is: .holdsSecret),
        Row(
            "DD24 several problems at once", "http://app.example/#x", "{}", is: .urlIsNotHTTPS, .urlHasFragment, .namesAnotherClient
        ),
    ])
    func `checks a client's own document before it is published`(row: Row) {
        let document = row.document ?? "{\"client_id\":\"\(row.address)\",\"client_name\":\"App\"}"
        #expect(ClientIDDocument.problems(of: Secret(Array(document.utf8)), at: row.address) == row.expected)
    }

    private static let client = ClientMetadata(nativeProgram: "App", redirectURIs: [.loopback])

    @Test func `CM02 writes a document that servers accept, with the URL as the client ID`() throws {
        let document = try ClientIDDocument.document(of: Self.client, at: Self.good)
        #expect(ClientIDDocument.problems(of: document, at: Self.good).isEmpty)
        #expect(ClientIDDocument.warnings(about: document, at: Self.good).isEmpty)
        let members = try JSONValue(strict: document.reveal())
        #expect(members["client_id"]?.string == Self.good)
        #expect(members["token_endpoint_auth_method"] == "none")
        #expect(members["client_name"] == "App")
    }

    @Test(arguments: [
        ("http://app.example/client.json", "{}"), (good, #"{"client_id":"another"}"#), (good, #"{"client_secret":"secret"}"#),
        (good, #"{"token_endpoint_auth_method":"client_secret_basic"}"#), (good, #"{"redirect_uris":[]}"#),
        (good, #"{"jwks":{"keys":[{"kty":"oct","k":"AAAA"}]}}"#), (good, #"{"token_endpoint_auth_method":"private_key_jwt"}"#),
    ])
    func `CM02 DD24 rejects what servers would reject, before it is published`(address: String, members: String) throws {
        var client = Self.client
        for member in try JSONValue(strict: Array(members.utf8)).object?.members ?? [] { client.members[member.name] = member.value }
        #expect(throws: OAuthError.self) { try ClientIDDocument.document(of: client, at: address) }
    }

    @Test func `CM01 warns about a query, a large document and redirect URIs on other hosts`() throws {
        var client = Self.client
        client.redirectURIs = ["https://app.example/callback", "com.example.app:/callback", "http://127.0.0.1/callback"]
        let fine = try ClientIDDocument.document(of: client, at: Self.good)
        #expect(ClientIDDocument.warnings(about: fine, at: Self.good).isEmpty)
        client.redirectURIs = ["https://other.example/callback"]
        client.members["contacts"] = .array((0..<400).map { .string("person-\($0)@app.example") })
        let address = Self.good + "?id=7"
        let document = try ClientIDDocument.document(of: client, at: address)
        #expect(ClientIDDocument.warnings(about: document, at: address) == Set(ClientIDDocument.Warning.allCases))
    }

    private static let responses: [(status: Int, type: String?, problem: String?)] = [
        (200, "application/json", nil), (200, "application/json; charset=utf-8", nil), (200, "application/client+json", nil),
        (200, "text/html", "Content-Type"), (200, nil, "Content-Type"), (302, "text/html", "302 instead of 200; servers do not follow"),
        (404, "application/json", "404 instead of 200"),
    ]

    @Test(arguments: responses)
    func `CM04: a document is published with the status 200 and as JSON`(status: Int, type: String?, problem: String?) {
        var response = HTTPResponse(status: .init(code: status))
        response.headerFields[.contentType] = type
        let found = ClientIDDocument.problem(of: response)
        #expect(problem.map { found?.contains($0) ?? false } ?? (found == nil))
        #expect(found.map { $0.contains("redirects") == (status == 302) } ?? true)
    }
}
