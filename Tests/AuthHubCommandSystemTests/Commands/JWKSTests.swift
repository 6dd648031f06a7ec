@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct JWKSTests {
    @Test(arguments: ["", "/jwks"])
    func `shows the keys at the URL of an issuer or of a key set`(path: String) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let url = tool.server.issuer + path
            let json = try await tool.run("jwks", url, "--allow-insecure-loopback", "-o", "json").json()
            #expect(json["url"]?.string == "\(tool.server.issuer)/jwks")
            #expect(json["issuer"] == (path.isEmpty ? .string(tool.server.issuer) : .null))
            #expect(json["keys"]?.array?.compactMap { $0["crv"]?.string } == ["P-256"])
            #expect(json["rejected"] == [])
            let shown = try await tool.run("jwks", url, "--allow-insecure-loopback")
            #expect(shown.status == 0, "\(shown.errorText)")
            #expect(shown.text.contains("EC P-256") && shown.text.contains("ES256"))
            #expect(shown.text.contains(json["keys"]?.array?.first?["thumbprint"]?.string ?? "a thumbprint"))
            #expect(shown.errorText == "1 key at \(tool.server.issuer)/jwks\n")
        }
    }

    @Test(arguments: [
        ("https://as.example#x", [], 64, "must be an https URL"), ("http://127.0.0.1:1", [], 64, "--allow-insecure-loopback"),
        ("http://as.example", ["--allow-insecure-loopback"], 64, "must be an https URL"),
        ("http://127.0.0.1:1", ["--allow-insecure-loopback"], 6, "cannot connect"),
    ])
    func `a URL that cannot be used is an error`(url: String, options: [String], status: Int32, says: String) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let shown = try await tool.run(["jwks", url] + options)
            #expect(shown.status == status && shown.text.isEmpty, "\(shown.errorText)")
            #expect(shown.errorText.contains(says), "\(shown.errorText)")
        }
    }

    @Test func `a URL that is neither a key set nor an issuer is an error with both reasons`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let shown = try await tool.run("jwks", "\(tool.server.issuer)/nothing", "--allow-insecure-loopback")
            #expect(shown.status == 1 && shown.text.isEmpty, "\(shown.errorText)")
            #expect(shown.errorText.contains("neither a key set nor an issuer"), "\(shown.errorText)")
            #expect(shown.errorText.contains("publishes no metadata"), "\(shown.errorText)")
        }
    }
}
