@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import JOSE
import OAuthProtocol
import Testing

/// `login` for programs: with a private key, with a token of their platform, and with a user's ID token.
struct AssertionTests {
    private static let protected = DevelopmentServerConfiguration(persona: .modelContext)

    @Test func `MC19 CA08: a client with a private key gets tokens for a resource, and keeps doing so from the store alone`() async throws {
        try await Tool.using(Self.protected) { tool in
            let (words, id, key) = try await tool.registerMachine()
            let secret = try #require(key.privateMembers.reveal()["d"]?.string)
            let login = try await tool.run(["login", tool.resource, "--flow", "client-credentials"] + words)
            #expect(login.status == 0, "\(login.errorText)")
            try tool.folder.remove("key.json")
            let call = try await tool.call("whoami")
            #expect(call.status == 0, "\(call.errorText)")
            let again = try await tool.run("refresh", "--as", tool.label)
            #expect(again.status == 0, "\(again.errorText)")
            let status = try await tool.run("status", "--as", tool.label, "-o", "json")
            #expect(try status.json()["scope"] == ["mcp"], "offline_access is for users")
            let signedIn = try await tool.run("login", tool.resource, "--allow-insecure-loopback")
            #expect(signedIn.status == 0, "the same flow, with the stored key: \(signedIn.errorText)")
            let out = try await tool.run("logout", "--as", tool.label)
            #expect(out.status == 0 && out.errorText.contains("--client-id \(id) --private-key-file FILE"), "\(out.errorText)")
            let sent = tool.server.log.entries.filter { $0.path == "/token" || $0.path == "/revoke" }
            #expect(sent.count == 4 && sent.allSatisfy { $0.formNames.contains("client_assertion") && $0.status == 200 })
            for output in [login, call, again, status, out] {
                #expect(!output.text.contains(secret) && !output.errorText.contains(secret))
            }
        }
    }

    @Test func `CA07: a client secret signs if the command says so`() async throws {
        try await Tool.using(Self.protected) { tool in
            let login = try await tool.run(
                "login", tool.resource, "--allow-insecure-loopback", "--flow", "client-credentials", "--client-id", "web-app",
                "--client-secret-file", "-", "--client-auth", "client-secret-jwt", input: Tool.webAppSecret)
            #expect(login.status == 0, "\(login.errorText)")
            let sent = tool.server.log.entries.filter { $0.path == "/token" }
            #expect(sent.map { $0.formNames.contains("client_assertion") && !$0.formNames.contains("client_secret") } == [true])
        }
    }

    @Test func `MC21: a workload's token is read again from its file for each access token`() async throws {
        try await Tool.using(Self.protected) { tool in
            let (words, id, key) = try await tool.registerMachine(grant: Tool.jwtBearer)
            let file = try await tool.writeAssertion(by: id, key)
            let login = try await tool.run(["login", tool.resource, "--flow", "jwt-bearer", "--assertion-file", file] + words)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.call("whoami").status == 0)
            #expect(try await tool.run("refresh", "--as", tool.label).status == 0)
            _ = try tool.folder.write(try tool.folder.read("assertion"), to: "assertion", permissions: 0o622)
            let writable = try await tool.run("refresh", "--as", tool.label)
            #expect(writable.status == 1 && writable.errorText.contains("chmod 600 \(file)"), "\(writable.errorText)")
            _ = try tool.folder.write("not a token", to: "assertion")
            let damaged = try await tool.run("refresh", "--as", tool.label)
            #expect(damaged.status == 1 && damaged.errorText.contains("--flow jwt-bearer --assertion-file FILE"), "\(damaged.errorText)")
            try tool.folder.remove("assertion")
            let gone = try await tool.run("refresh", "--as", tool.label)
            #expect(gone.status == 1 && gone.errorText.contains("does not exist"), "\(gone.errorText)")
            #expect(try await tool.call("whoami").status == 0, "the token is still there")
            #expect(tool.server.log.tokenRequests(grant: Tool.jwtBearer) == 2 && tool.server.log.tokenRequests() == 2)
        }
    }

    @Test func `MC20 IJ01 IJ04: the ID token of an identity provider is enough for a resource`() async throws {
        try await Tool.using(Self.protected) { tool in
            let words = try await tool.identityWords()
            let login = try await tool.run(["login", tool.resource] + words)
            #expect(login.status == 0, "\(login.errorText)")
            let call = try await tool.call("whoami")
            #expect(call.status == 0 && call.text.contains(Tool.user), "\(call.errorText)")
            let again = try await tool.run("refresh", "--as", tool.label)
            #expect(again.status == 0, "\(again.errorText)")
            #expect(tool.server.log.tokenRequests(grant: Tool.jwtBearer) == 2)
            let noUser = try await tool.run("token", "--id", "--as", tool.label)
            #expect(noUser.status == 1 && noUser.errorText.contains("assertion of another issuer"), "\(noUser.errorText)")
        }
    }

    @Test func `MC16: neither a client secret nor an assertion is sent to a server that only the resource has named`() async throws {
        try await Tool.using(Self.protected) { tool in
            let secret = try tool.folder.write(Tool.webAppSecret, to: "web-app-secret")
            let words = [
                "--allow-insecure-loopback", "--flow", "client-credentials", "--client-id", "web-app", "--client-secret-file", secret,
            ]
            let unnamed = try await tool.run(["login", tool.resource] + words)
            #expect(unnamed.status == 64 && unnamed.errorText.contains("add --issuer \(tool.server.issuer)"), "\(unnamed.errorText)")
            let (machine, id, key) = try await tool.registerMachine(grant: Tool.jwtBearer)
            let own = JSONValue.string(tool.server.issuer)
            for audience: JSONValue in [
                "https://other.example", .string("\(tool.server.issuer)/token"), "sts.amazonaws.com", [own, "https://other.example"], .null,
            ] {
                let file = try await tool.writeAssertion(by: id, key, for: audience)
                let other = try await tool.run(["login", tool.resource, "--flow", "jwt-bearer", "--assertion-file", file] + machine)
                #expect(
                    other.status == 7 && other.errorText.contains("the server \(tool.server.issuer), so it must be only for that server"),
                    "\(other.errorText)")
                #expect(other.errorText.contains("--issuer"), "\(other.errorText)")
            }
            let plain = try await tool.run(["login", tool.server.issuer, "--as", "work"] + words)
            #expect(plain.status == 0, "\(plain.errorText)")
            let tokens = tool.server.log.tokenRequests()
            let taken = try await tool.run(
                "login", tool.resource, "--as", "work", "--flow", "client-credentials", "--allow-insecure-loopback")
            #expect(taken.status == 1 && taken.errorText.contains("not for \(tool.resource)"), "\(taken.errorText)")
            #expect(tool.server.log.tokenRequests() == tokens)
            let named = try await tool.run(["login", tool.resource, "--issuer", tool.server.issuer] + words)
            #expect(named.status == 0, "\(named.errorText)")
            #expect(try await tool.run(["login", tool.resource] + words).status == 0, "the account's own server")
        }
    }

    @Test(arguments: [
        (["--assertion-file", "f"], "needs --flow jwt-bearer"), (["--id-token-file", "f"], "needs --flow id-jag"),
        (["--flow", "jwt-bearer"], "add --assertion-file FILE"), (["--flow", "id-jag"], "add --identity-provider URL"),
        (["--flow", "id-jag", "--identity-provider", "https://idp.example"], "add --identity-client-id ID"),
        (["--flow", "id-jag", "--identity-provider", "https://idp.example", "--identity-client-id", "a"], "add --id-token-file FILE"),
        (["--flow", "id-jag", "--identity-provider", "http://idp.example"], "https URL"),
        (["--flow", "jwt-bearer", "--id-token-file", "f"], "needs --flow id-jag"),
        (["--client-secret-file", "a", "--private-key-file", "b"], "in one way"),
    ])
    func `an option that is missing or does not belong is named before a request`(words: [String], says: String) async throws {
        try await Tool.using(Self.protected) { tool in
            let output = try await tool.run(
                ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback"] + words)
            #expect(output.status == 64 && output.errorText.contains(says), "\(output.errorText)")
            #expect(!tool.server.log.entries.contains { $0.path == "/token" })
        }
    }

    @Test(arguments: [
        ("text", "no key"), ("a public key", #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#), ("JSON that ends", "{"),
        ("encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----"),
    ])
    func `a file without a private key is a usage error that repeats nothing of it`(description: String, text: String) async throws {
        try await Tool.using(Self.protected) { tool in
            let output = try await tool.run(
                "login", tool.server.issuer, "--allow-insecure-loopback", "--client-id", "machine", "--flow", "client-credentials",
                "--private-key-file", "-", input: text)
            #expect(output.status == 64 && output.errorText.contains("standard input has no private key"), "\(output.errorText)")
            #expect(!output.errorText.contains("AA"))
        }
    }
}
