@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Secrets in responses that are not errors.
struct EchoedSecretTests {
    @Test func `ER04: does not show a token in the claims or in an introspection`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token").text.filter { !$0.isNewline }
            let echo = JSONValue.string("it is \(token)!")
            tool.server.faults.always(
                at: .api, .altered([.member("name", echo), .member("email", .string(token)), .member("preferred_username", echo)]))
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            tool.server.faults.always(
                at: .introspection,
                .altered([.member("username", echo), .member("extra", [echo]), .member(token, "development-secret-of-the-web-app")]))
            let asking = ["introspect", "--client-id", "web-app", "--client-secret-file", secret]
            for words in [["whoami"], asking] {
                for format in [[], ["-o", "json"]] {
                    let output = try await tool.run(words + format)
                    #expect(output.status == 0, "\(output.errorText)")
                    #expect(output.text.contains("<redacted>"))
                    for hidden in [token, "development-secret"] { #expect(!output.text.contains(hidden), "\(words + format)") }
                }
            }
        }
    }

    @Test func `ER04: does not show a token in a rejected redirect or in a refresh error`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token").text.filter { !$0.isNewline }
            tool.server.faults.always(
                at: .api, .answer(status: 302, header: ["Location": "ftp://\(token)/"]))
            let redirected = try await tool.run("request", "GET", "\(tool.server.issuer)/userinfo")
            #expect(redirected.status == 1)
            #expect(redirected.errorText.contains("<redacted>") && !redirected.errorText.contains(token), "\(redirected.errorText)")
            let body = #"{"error":"invalid_request","error_description":"instead of \#(token)"}"#
            tool.server.faults.always(at: .tokenEndpoint, .answer(status: 400, body: body))
            for format in [[], ["-o", "json"]] {
                let refreshed = try await tool.run(["refresh"] + format)
                #expect(refreshed.status == 1)
                #expect(refreshed.errorText.contains("<redacted>") && !refreshed.errorText.contains(token), "\(refreshed.errorText)")
            }
        }
    }

    @Test func `ER04: does not show an initial access token in a registration`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let token = "initial-access-token-of-the-test"
            let file = try tool.folder.write(token, to: "initial")
            tool.server.faults.always(at: .registration, .altered([.member("client_name", .string("App \(token)"))]))
            let server = [tool.server.issuer, "--allow-insecure-loopback"]
            let words = [
                ["client", "register"] + server + ["--initial-access-token-file", file], ["client", "show", "--local"] + server,
            ]
            let registered = try await tool.run(words[0])
            #expect(registered.status == 0, "\(registered.errorText)")
            #expect(registered.text.contains("<redacted>"))
            #expect(!(registered.text + registered.errorText).contains(token))
        }
    }

    @Test func `names that differ in invisible characters look different`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.always(at: .api, .altered([.member("preferred_username", "octo\u{200B}\u{202E}cat")]))
            #expect(try await tool.run("whoami").text.contains(#"octo\u200b\u202ecat"#))
            let json = try await tool.run("whoami", "-o", "json")
            #expect(json.text.contains(#""octo\u200b\u202ecat""#))
            #expect(try json.json()["login"] == "octo\u{200B}\u{202E}cat")
        }
    }
}
