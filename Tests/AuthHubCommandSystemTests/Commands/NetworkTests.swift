import Platform
@testable import AuthHubCommandTests
import DevelopmentServer
import Testing

struct NetworkTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var environment: [String: String] = [:]
        var options: [String] = []
        let says: [String]
    }

    @Test(arguments: [
        Row(
            testDescription: "a proxy without port", environment: ["HTTPS_PROXY": "http://mona:canary@proxy.example"],
            says: ["HTTPS_PROXY has no port", "next: correct the option or variable"]),
        Row(
            testDescription: "a proxy of all requests over TLS", environment: ["ALL_PROXY": "https://mona:canary@proxy.example:1"],
            says: ["ALL_PROXY is a proxy over TLS"]),
        Row(
            testDescription: "a password in an argument", options: ["--proxy", "http://mona:canary@proxy.example:1"],
            says: ["on the command line", "HTTPS_PROXY"]),
        Row(testDescription: "an argument that is not a URL", options: ["--proxy", "canary://a"], says: ["--proxy has an unknown kind"]),
        Row(testDescription: "no file", options: ["--ca-file", "/nowhere.pem"], says: ["--ca-file names /nowhere.pem"]),
        Row(
            testDescription: "a file without certificates", environment: ["SSL_CERT_FILE": "/etc/passwd"],
            says: ["SSL_CERT_FILE names /etc/passwd", "no PEM certificate"]),
    ])
    func `a proxy or a file that cannot be used is an error in the arguments`(row: Row) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            tool.environment.merge(row.environment) { $1 }
            let shown = try await tool.runInTurn(["jwks", "https://as.example"] + row.options)
            #expect(shown.status == 64 && shown.text.isEmpty, "\(shown.errorText)")
            for words in row.says { #expect(shown.errorText.contains(words), "\(shown.errorText)") }
            #expect(!shown.errorText.contains("canary"))
        }
    }

    @Test func `requests to this machine do not use the proxy`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            for name in ["HTTPS_PROXY", "http_proxy", "ALL_PROXY"] { tool.environment[name] = "http://proxy.invalid:1" }
            let login = try await tool.run(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            let away = try await tool.run("jwks", "https://as.example")
            #expect(away.status == 6 && away.errorText.contains("through the proxy proxy.invalid:1"), "\(away.errorText)")
        }
    }

    @Test func `an empty proxy is none`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            tool.environment["HTTPS_PROXY"] = "http://proxy.invalid:1"
            let shown = try await tool.run("jwks", "https://as.invalid", "--proxy", "")
            #expect(shown.status == 6 && !shown.errorText.contains("through the proxy"), "\(shown.errorText)")
        }
    }

    #if canImport(Glibc)
    @Test(arguments: [
        ("TX07 not HTTP", "220 mail.example ESMTP\r\n\r\n", Int32(1)),
        ("TX07 a status that is no number", "HTTP/1.1 2x0 OK\r\n\r\n", 1),
        ("TX07 a chunk without a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 1),
        ("cut off within the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", 6),
    ])
    func `malformed HTTP is the server's fault, and a response that is cut off the network's`(
        description: String, answer: String, status: Int32
    ) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let server = try OneRequestServer()
            async let request = server.request(answering: answer) {}
            let output = try await tool.run("request", "http://127.0.0.1:\(server.port)/", "--allow-insecure-loopback")
            #expect(output.status == status, "\(output.errorText)")
            #expect(output.errorText.contains("the network is up") == (status == 6), "\(output.errorText)")
            _ = await request
        }
    }
    #endif

    @Test func `a trace is in a new file that only the user can read, and contains no token`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let path = "\(tool.folder.path)/trace"
            let login = try await tool.run(tool.loginWords() + ["--trace", path])
            #expect(login.status == 0 && !login.errorText.contains("1 > "), "\(login.errorText)")
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let token = try await tool.run("token").text.filter { !$0.isNewline }
            #expect(!token.isEmpty && !text.contains(token))
            let issuer = tool.server.issuer
            for line in [
                "1 > GET \(issuer)/", "> grant_type=authorization_code", "> code=<masked>", "* sign in: the built-in", "state=<masked>",
            ] {
                #expect(text.contains(line), "\(text)")
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let again = try await tool.run("refresh", "--trace", path)
            #expect(again.status == 64 && again.errorText.contains("it already exists"), "\(again.errorText)")
            #expect(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) == text)
        }
    }

    @Test func `--verbose leaves standard output unchanged`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let plain = try await tool.run("whoami", "-o", "json")
            let verbose = try await tool.run("whoami", "-o", "json", "-v")
            #expect(verbose.status == 0 && verbose.standardOutput == plain.standardOutput)
            #expect(verbose.errorText.contains("> authorization: Bearer <masked>"), "\(verbose.errorText)")
            #expect(plain.errorText.isEmpty)
        }
    }
}
