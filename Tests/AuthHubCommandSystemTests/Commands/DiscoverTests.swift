@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct DiscoverTests {
    private static let openID = DevelopmentServerConfiguration(persona: .openID)

    @Test func `shows what a server supports: responding URLs, grants, PKCE, client authentication, endpoints`() async throws {
        try await Tool.using(Self.openID) { tool in
            let issuer = tool.server.issuer
            let shown = try await tool.run("discover", issuer, "--allow-insecure-loopback")
            #expect(shown.status == 0, "\(shown.errorText)")
            for words in [issuer, "authorization_code", "S256", "client_secret_basic", "token_endpoint", "found"] {
                #expect(shown.text.contains(words), "\(words)")
            }
            #expect(shown.errorText.contains("warning: the server uses http"))

            let json = try await tool.run("discover", issuer, "--allow-insecure-loopback", "-o", "json").json()
            #expect(json["issuer"]?.string == issuer)
            #expect(json["resource"] == .null)
            #expect(json["forms"]?.array?.compactMap { $0["outcome"]?.string } == ["found", "found"])
            #expect(json["code_challenge_methods"] == ["S256"])
            #expect(json["endpoints"]?["token_endpoint"]?.string == "\(issuer)/token")
            #expect(json["metadata"]?["issuer"]?.string == issuer)
            #expect(json["id_token_algorithms"]?.array?.contains("ES256") == true)
            #expect(json["keys"]?.array?.compactMap { $0["alg"]?.string } == ["ES256"])
            #expect(json["rejected_keys"] == [])
            #expect(shown.text.contains("1 key: ES256"))
            #expect(tool.server.log.entries.allSatisfy { $0.path.hasPrefix("/.well-known/") || $0.path == "/jwks" })
        }
    }

    @Test(arguments: [
        (#"{"keys":[{"kty":"RSA","kid":"old","n":"AQAB","e":"AQAB"}]}"#, "key 1 of the key set, “old”, is not used"),
        (#"{"keys":[]}"#, "the key set has no key that can be used"),
        ("<html>", "ID tokens cannot be verified, because the keys cannot be read"),
    ])
    func `keys that cannot be used are a warning`(body: String, warning: String) async throws {
        try await Tool.using(Self.openID) { tool in
            // The keys are at a third well-known URL, because only those have faults.
            let elsewhere = Self.told("jwks_uri", .string("\(tool.server.issuer)/.well-known/keys"))
            tool.server.faults.next(at: .metadata, elsewhere, elsewhere, .answer(body: body))
            let shown = try await tool.run("discover", tool.server.issuer, "--allow-insecure-loopback")
            #expect(shown.status == 0, "\(shown.errorText)")
            #expect(shown.errorText.contains("warning: \(warning)"), "\(shown.errorText)")
        }
    }

    @Test func `a protected resource leads to its authorization server`() async throws {
        try await Tool.using(Self.openID) { tool in
            let json = try await tool.run(
                "discover", "--resource", "\(tool.server.issuer)/user/repos", "--allow-insecure-loopback", "-o", "json"
            ).json()
            #expect(json["issuer"]?.string == tool.server.issuer)
            #expect(json["resource"]?["authorization_servers"] == [.string(tool.server.issuer)])
            let words = json["warnings"]?.array?.compactMap(\.string).joined() ?? ""
            #expect(words.contains("the resource's identifier is \(tool.server.issuer)"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var fault: Fault?
        var asksResource = false
        var more: [String] = []
        let status: Int32
        /// The expected text on standard error.
        let says: String
    }

    private static func told(_ member: String, _ value: JSONValue?) -> Fault { .altered([.member(member, value)]) }

    static let rows: [Row] = [
        Row(
            testDescription: "DD02 another issuer", fault: told("issuer", "https://other.example"), status: 7,
            says: "received metadata of https://other.example"),
        Row(testDescription: "DD06 a server that is down", fault: .status(500), status: 6, says: "500"),
        Row(testDescription: "DD06 a server that is busy", fault: .status(503), status: 75, says: "503"),
        Row(testDescription: "no response", fault: .dropConnection, status: 6, says: "connection"),
        Row(testDescription: "DD06 nothing at any URL", fault: .status(404), status: 1, says: "publishes no metadata"),
        Row(
            testDescription: "DD06 401 at every URL", fault: .status(401), status: 1, says: "oauth-authorization-server: 401"),
        Row(
            testDescription: "DD25 endpoints on two origins",
            fault: .altered([
                .member("token_endpoint", "http://127.0.0.2:9/token"), .member("authorization_response_iss_parameter_supported", nil),
            ]), status: 0, says: "responses do not name their issuer"),
        Row(
            testDescription: "DD07 a redirect", fault: .answer(status: 302, header: ["Location": "https://elsewhere.example/m"]), status: 1,
            says: "302, a redirect to https://elsewhere.example"),
        Row(testDescription: "DD08 a web page", fault: .html, status: 1, says: "200, a web page"),
        Row(
            testDescription: "DD09 an endpoint over http", fault: told("token_endpoint", "http://login.example/token"), status: 0,
            says: "warning: token_endpoint is ignored"),
        Row(
            testDescription: "DD10 no token endpoint", fault: told("token_endpoint", nil), status: 0,
            says: "warning: there is no usable token_endpoint"),
        Row(
            testDescription: "DD13 a string instead of a list", fault: told("scopes_supported", "openid"), status: 0,
            says: "warning: scopes_supported is ignored: it is not an array of strings"),
        Row(
            testDescription: "DD14 signed metadata", fault: told("signed_metadata", "a.b.c"), status: 0,
            says: "warning: signed_metadata is ignored: its signature is not verified"),
        Row(
            testDescription: "no PKCE", fault: told("code_challenge_methods_supported", ["plain"]), status: 0,
            says: "warning: the server does not support PKCE with S256 (it lists plain)"),
        Row(
            testDescription: "PKCE is not mentioned", fault: told("code_challenge_methods_supported", nil), status: 0,
            says: "warning: the metadata does not say that the server supports PKCE"),
        Row(
            testDescription: "control characters are not shown", fault: told("issuer", "https://other.example\u{1B}[2J"), status: 7,
            says: "received metadata of https://other.example"),
        Row(
            testDescription: "DD19 another resource", fault: told("resource", "https://other.example"), asksResource: true, status: 7,
            says: "received metadata of https://other.example"),
        Row(
            testDescription: "DD20 a resource without a server", fault: told("authorization_servers", []), asksResource: true, status: 1,
            says: "names no usable authorization server"),
        Row(
            testDescription: "DD20 a server that the resource does not name", asksResource: true, more: ["https://other.example"],
            status: 1,
            says: "does not name https://other.example"),
        Row(
            testDescription: "DD22 a resource that leads into a private network",
            fault: told("authorization_servers", ["https://10.0.0.1"]), asksResource: true, status: 7, says: "private network"),
    ]

    @Test(arguments: rows)
    func `reports what is wrong with a server, with the right exit status`(row: Row) async throws {
        try await Tool.using(Self.openID) { tool in
            if let fault = row.fault { tool.server.faults.always(at: .metadata, fault) }
            let place = row.asksResource ? ["--resource", tool.server.issuer] : [tool.server.issuer]
            let shown = try await tool.run(["discover", "--allow-insecure-loopback"] + place + row.more)
            #expect(shown.status == row.status, "\(shown.errorText)")
            #expect(shown.errorText.contains(row.says), "\(shown.errorText)")
            #expect(shown.text.isEmpty == (row.status != 0))
            #expect((shown.text + shown.errorText).utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
        }
    }

    @Test func `DD06: the next URL counts if one has nothing, and differences are reported`() async throws {
        try await Tool.using(Self.openID) { tool in
            tool.server.faults.next(at: .metadata, .status(404))
            let found = try await tool.run("discover", tool.server.issuer, "--allow-insecure-loopback", "-o", "json").json()
            #expect(found["forms"]?.array?.compactMap { $0["outcome"]?.string } == ["nothing", "found"])
            tool.server.faults.next(at: .metadata, Self.told("scopes_supported", ["other"]))
            let differing = try await tool.run("discover", tool.server.issuer, "--allow-insecure-loopback")
            #expect(differing.errorText.contains("scopes_supported differs between the documents of this issuer"))
        }
    }

    @Test func `DD26: shows and uses an endpoint that only the second document has`() async throws {
        try await Tool.using(Self.openID) { tool in
            let lacking = Self.told("userinfo_endpoint", nil)
            tool.server.faults.next(at: .metadata, lacking)
            let found = try await tool.run("discover", tool.server.issuer, "--allow-insecure-loopback", "-o", "json").json()
            #expect(found["endpoints"]?["userinfo_endpoint"]?.string == "\(tool.server.issuer)/userinfo")
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.next(at: .metadata, lacking)
            let person = try await tool.run("whoami")
            #expect(person.status == 0, "\(person.errorText)")
        }
    }

    @Test(arguments: [
        [], ["github"], ["http://as.example"], ["https://as.example?x=1"], ["https://as.example#x"], ["https://a@as.example"],
        ["http://127.0.0.1:1"], ["--resource", "api.example"], ["--resource", "http://127.0.0.1:1"],
    ])
    func `DD03, DD04: an invalid issuer is a usage error`(words: [String]) async throws {
        try await Tool.using(Self.openID) { tool in
            let shown = try await tool.run(["discover"] + words)
            #expect(shown.status == 64, "\(shown.errorText)")
            #expect(shown.text.isEmpty)
        }
    }
}
