@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct JWTTests {
    private static func using(_ body: (Tool, _ token: String) async throws -> Void) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token", "--id").text
            #expect(!token.isEmpty)
            try await body(tool, token)
        }
    }

    @Test func `verifies an ID token with the keys of its issuer, from standard input and from a file`() async throws {
        try await Self.using { tool, token in
            let options = ["--allow-insecure-loopback", "--client-id", "native-app"]
            for place in [["--issuer", tool.server.issuer], ["--jwks", "\(tool.server.issuer)/jwks"]] {
                let shown = try await tool.run(["jwt", "inspect"] + place + options, input: token)
                #expect(shown.status == 0 && shown.errorText.isEmpty, "\(shown.errorText)")
                #expect(shown.text.hasPrefix("Verified: signed with a key of \(tool.server.issuer)"))
                #expect(!shown.text.contains("not verified"))
                #expect(!shown.text.contains(token.split(separator: ".")[2].dropLast()))
            }
            let file = try tool.folder.write(token, to: "token")
            let json = try await tool.run(
                ["jwt", "inspect", "--issuer", tool.server.issuer, "-o", "json", file] + options
            ).json()
            #expect(json["verified"] == true && json["signature_valid"] == true)
            #expect(json["claims"]?["sub"] == "583231")
            #expect(json["key"]?["alg"] == "ES256")
            #expect(json["rules"]?.array?.allSatisfy { $0["outcome"] == "ok" } == true)
        }
    }

    @Test func `without keys, shows the claims as not verified, and fails`() async throws {
        try await Self.using { tool, token in
            for words in [["jwt", "inspect"], ["jwt", "inspect", "-"]] {
                let shown = try await tool.run(words, input: token)
                #expect(shown.status == 1)
                #expect(shown.text.hasPrefix("Not verified:"))
                #expect(shown.text.contains("  not verified  sub        583231\n"), "\(shown.text)")
                #expect(shown.errorText.contains("--issuer"))
            }
            let output = try await tool.run("jwt", "inspect", "-o", "json", input: token)
            #expect(output.status == 1)
            #expect(try output.json()["verified"] == false)
            #expect(try output.errorJSON()["code"] == "not_verified")
            #expect(tool.server.log.requests(path: "/jwks") <= 1)
        }
    }

    @Test func `rejects a token with a changed claim, for another client, or from another issuer`() async throws {
        try await Self.using { tool, token in
            let issuer = ["--issuer", tool.server.issuer, "--allow-insecure-loopback"]
            var parts = token.dropLast().split(separator: ".").map(String.init)
            var claims = try JSONValue(strict: Base64URL.decode(parts[1]) ?? []).object ?? JSONObject()
            claims["sub"] = "1"
            parts[1] = Base64URL.encode(JSONValue.object(claims).serialized())
            let forged = try await tool.run(["jwt", "inspect"] + issuer, input: parts.joined(separator: "."))
            #expect(forged.status == 7)
            #expect(forged.text.hasPrefix("Not verified: the signature check failed."))
            #expect(forged.text.contains("  not verified  sub        1\n"))

            let other = try await tool.run(["jwt", "inspect", "--client-id", "web-app", "-o", "json"] + issuer, input: token)
            #expect(other.status == 7)
            #expect(try other.json()["verified"] == false)
            #expect(try other.json()["signature_valid"] == true)
            let message = try other.errorJSON()["message"]?.string
            #expect(message?.contains(#"aud: it is for another client: its aud does not contain "web-app""#) == true)

            try await withDevelopmentServer(.init(persona: .openID)) { server in
                let foreign = try await tool.run(
                    ["jwt", "inspect", "--issuer", server.issuer, "--allow-insecure-loopback"], input: token)
                #expect(foreign.status == 7)
                #expect(foreign.errorText.contains("no key fits"), "\(foreign.errorText)")
            }
        }
    }

    @Test func `never accepts a token as an argument, and never repeats it`() async throws {
        try await Self.using { tool, text in
            let token = String(text.dropLast())
            let rows = [
                ["jwt", "inspect", token], ["jwt", "inspect", "-", token], ["jwt", token], ["jwt", "inspect", "--token", token],
                ["jwt", "inspect", "--token=\(token)"], ["jwt", "inspect", "--issuer", token], ["jwt", "inspect", "--jwks=\(token)"],
                ["jwks", token], ["jwt", "inspect", "not-a-token-but-secret"],
            ]
            for words in rows {
                for format in [[], ["-o", "json"]] {
                    let output = try await tool.run(words + format)
                    #expect(output.status == 64, "\(words.count) words: \(output.errorText)")
                    #expect(output.text.isEmpty)
                    for part in token.split(separator: ".") { #expect(!output.errorText.contains(part)) }
                    #expect(!output.errorText.contains("not-a-token-but-secret"))
                }
            }
            #expect(try await tool.run("jwt", "inspect", token).errorText.contains("a token must not be an argument"))
        }
    }

    @Test func `keys that cannot be fetched are an error before anything is shown`() async throws {
        try await Self.using { tool, token in
            let unreachable = try await tool.run(
                "jwt", "inspect", "--jwks", "http://127.0.0.1:1/keys", "--allow-insecure-loopback", input: token)
            #expect(unreachable.status == 6 && unreachable.text.isEmpty)
            tool.server.faults.always(at: .metadata, .altered([.member("jwks_uri", nil)]))
            let none = try await tool.run("jwt", "inspect", "--issuer", tool.server.issuer, "--allow-insecure-loopback", input: token)
            #expect(none.status == 1 && none.text.isEmpty)
            #expect(none.errorText.contains("names no key set"), "\(none.errorText)")
            #expect(try await tool.run("jwt", "inspect", "--client-id", "c", input: token).status == 64)
            #expect(try await tool.run("jwt", "inspect", input: "no token").status == 64)
        }
    }
}
