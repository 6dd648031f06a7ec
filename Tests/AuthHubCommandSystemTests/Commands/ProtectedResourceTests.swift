@testable import AuthHubCommandTests
import AsyncHTTPClientTransport
import AuthHubPrimitives
import DevelopmentServer
import HeadlessBrowsing
import JOSE
import Testing

/// Sign-ins that begin at an API, and requests to it.
struct ProtectedResourceTests {
    private static let protected = DevelopmentServerConfiguration(persona: .modelContext)

    /// Runs a test with a second server, whose resource names the first one as its issuer.
    private func withStranger(_ body: (Tool, DevelopmentAuthorizationServer) async throws -> Void) async throws {
        try await Tool.using(Self.protected) { tool in
            try await withDevelopmentServer(Self.protected) { stranger in
                stranger.faults.always(at: .resourceMetadata, .altered([.member("authorization_servers", [.string(tool.server.issuer)])]))
                try await body(tool, stranger)
            }
        }
    }

    @Test func `MC01 MC06 MC07: a sign-in with nothing but the URL of a resource registers a client, and requests find the account`()
        async throws
    {
        try await Tool.using(Self.protected) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(login.errorText.contains("Next: authhub request \(tool.resource)"), "\(login.errorText)")
            let before = tool.server.log.entries.filter { $0.path == "/mcp" }
            #expect(before.map(\.method) == ["GET"], "one GET, and no POST of its own")

            let answer = try await tool.call("whoami")
            #expect(answer.status == 0 && answer.text.contains(Tool.user), "\(answer.errorText)")
            let accounts = try await tool.run("accounts", "-o", "json").json().array ?? []
            #expect(accounts.compactMap { $0["account"]?.string } == [String(tool.resource.dropFirst("http://".count))])

            let client = try await tool.run("client", "show", tool.server.issuer, "--allow-insecure-loopback", "-o", "json").json()
            #expect(client["metadata"]?["application_type"] == "native")
            let device: JSONValue = "urn:ietf:params:oauth:grant-type:device_code"
            #expect(client["metadata"]?["grant_types"] == ["authorization_code", "refresh_token", device])
            #expect(client["metadata"]?["token_endpoint_auth_method"] == "none")
            #expect(client["metadata"]?["redirect_uris"]?.array?.first?.string?.hasPrefix("http://127.0.0.1:") == true)

            #expect(try await tool.login(at: tool.resource).status == 0)
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 1, "the client is kept for its issuer")
            #expect(try await tool.run("accounts", "-o", "json").json().array?.count == 1, "the same account")
        }
    }

    @Test func `MC01: an issuer stays an issuer, and a URL that is neither is an error that names the requested URLs`() async throws {
        try await Tool.using(Self.protected) { tool in
            let issuer = try await tool.run(
                "login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback", "--headless", "--user", Tool.user)
            #expect(issuer.status == 0, "\(issuer.errorText)")
            #expect(try await tool.run("status", "-o", "json").json()["resource"] == nil)
            tool.server.faults.always(at: .metadata, .status(404))
            let nothing = try await tool.login(at: "\(tool.server.issuer)/nothing", "--client-id", "native-app", "--as", "other")
            #expect(nothing.status == 1 && nothing.errorText.contains("nothing was found at"), "\(nothing.errorText)")
        }
    }

    @Test func `MC10 MC11 MC12: the resource is in every request, and the scope is that of the challenge`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let status = try await tool.run("status", "--as", tool.label, "-o", "json").json()
            #expect(status["scope"] == ["mcp", "offline_access"])
            #expect(status["resource"]?.string == tool.resource)
            #expect(try await tool.run("refresh", "--as", tool.label).status == 0)
            #expect(try await tool.call("whoami").status == 0, "the server checks that the token is for this resource")
            let pages = tool.server.log.entries.filter { $0.path == "/authorize" && $0.queryNames.contains("client_id") }
            #expect(!pages.isEmpty && pages.allSatisfy { $0.queryNames.contains("resource") })
            let requests = tool.server.log.entries.filter { $0.path == "/token" }
            #expect(requests.map(\.grantType) == ["authorization_code", "refresh_token"])
            #expect(requests.allSatisfy { $0.formNames.contains("resource") })

            let other = try await tool.login(at: tool.resource, "--scope", "mcp:write,mcp", "--as", "other")
            #expect(other.status == 0)
            #expect(try await tool.run("status", "--as", "other", "-o", "json").json()["scope"] == ["mcp:write", "mcp"])
        }
    }

    @Test func `MC11: without a challenge, the scope is all that the resource's metadata lists`() async throws {
        try await Tool.using(Self.protected) { tool in
            tool.server.faults.next(at: .resource, .status(405), .status(405))
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(
                try await tool.run("status", "--as", tool.label, "-o", "json").json()["scope"] == ["mcp", "mcp:write", "offline_access"])
        }
    }

    @Test func `CM02: client document writes a document, and checks one`() async throws {
        try await Tool.using(Self.protected) { tool in
            let url = "https://app.example.com/client.json"
            let document = try await tool.run("client", "document", url, "--name", "Notes")
            #expect(document.status == 0, "\(document.errorText)")
            _ = try tool.folder.write(document.text, to: "client.json")
            let good = try await tool.run("client", "document", url, "--check", "\(tool.folder.path)/client.json")
            #expect(good.status == 0 && good.text.contains("No problem was found."))
            let elsewhere = try await tool.run(
                "client", "document", "https://other.example.com/c", "--check", "\(tool.folder.path)/client.json", "-o", "json")
            #expect(elsewhere.status == 1)
            #expect(try elsewhere.json()["problems"]?.array?.count == 1)
            let wrong = try await tool.run("client", "document", "http://app.example.com/c")
            #expect(wrong.status == 64 && wrong.text.isEmpty, "\(wrong.errorText)")
        }
    }

    @Test func `CM02, CM05: a document has the public keys of the client, several during a rotation`() async throws {
        try await Tool.using(Self.protected) { tool in
            let url = "https://app.example.com/client.json"
            var files: [String] = []
            var secrets: [String] = []
            for name in ["old", "new", "old"] {
                let members = try SoftwareSigningKey.generate(keyID: name).privateMembers.reveal()
                secrets.append(try #require(members["d"]?.string))
                files.append(
                    try tool.folder.write(
                        String(decoding: JSONValue.object(members).serialized(), as: UTF8.self), to: "\(files.count).json"))
            }
            let options = files.map { ["--private-key-file", $0] }
            let one = try await tool.run(["client", "document", url] + options[0])
            #expect(one.status == 0, "\(one.errorText)")
            let document = try JSONValue(strict: Array(one.text.utf8))
            #expect(document["token_endpoint_auth_method"] == "private_key_jwt")
            #expect(document["jwks"]?["keys"]?.array?.map { $0["kid"] } == ["old"])
            let both = try await tool.run(["client", "document", url] + options[0] + options[1])
            let keys = try JSONValue(strict: Array(both.text.utf8))["jwks"]?["keys"]?.array ?? []
            #expect(keys.map { $0["kid"] } == ["old", "new"])
            #expect(secrets.allSatisfy { !both.text.contains($0) && !one.text.contains($0) })
            let same = try await tool.run(["client", "document", url] + options[0] + options[2])
            #expect(same.status == 64 && same.errorText.contains("need different IDs"), "\(same.errorText)")
        }
    }

    @Test func `CM03 MC06: a document's URL is the client ID only if the server supports that`() async throws {
        try await Tool.using(Self.protected) { tool in
            let document = "https://app.example.com/client.json"
            tool.server.faults.always(at: .metadata, .altered([.member("client_id_metadata_document_supported", nil)]))
            let registered = try await tool.login(at: tool.resource, "--client-id-document", document)
            #expect(registered.status == 0)
            #expect(try await tool.run("status", "--as", tool.label, "-o", "json").json()["client_id"]?.string != document)
            tool.server.faults.always(at: .metadata, .altered([.member("client_id_metadata_document_supported", true)]))
            let used = try await tool.login(at: tool.resource, "--client-id-document", document, "--as", "other")
            #expect(used.status != 0, "the development server reads documents only from this machine")
            #expect(used.errorText.contains("client_id=https%3A%2F%2Fapp.example.com%2Fclient.json"), "\(used.errorText)")
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 1)
        }
    }

    @Test func `MC23: a server of the first MCP revision works if the user says so, and with a warning`() async throws {
        try await Tool.using(Self.protected) { tool in
            tool.server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC23-nothing" }))
            let unknown = try await tool.login(at: tool.resource)
            #expect(unknown.status == 1 && unknown.errorText.contains("--without-resource-metadata"), "\(unknown.errorText)")
            let login = try await tool.login(at: tool.resource, "--without-resource-metadata")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(login.errorText.contains("as old MCP servers expect"))
            #expect(try await tool.call("whoami").status == 0)
            #expect(try await tool.run("refresh", "--as", tool.label).status == 0)
            #expect(try await tool.login(at: tool.resource, "--issuer", tool.server.issuer).status == 0, "the account keeps the option")
            #expect(try await tool.login(at: tool.resource).status == 0)
            let logout = try await tool.run("logout", "--as", tool.label)
            let words = "--without-resource-metadata --issuer \(tool.server.issuer)"
            #expect(logout.errorText.contains(words), "both options are kept: \(logout.errorText)")
        }
    }

    @Test func `MC13: a request that needs more scope ends with 4, and the hint requests the granted and the missing scope`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let refused = try await tool.call("write_note")
            #expect(refused.status == 4)
            let challenge = try #require(refused.errorText.split(separator: "'").dropFirst().first)
            #expect(refused.errorText.contains("requires the scope mcp:write"), "\(refused.errorText)")
            #expect(refused.errorText.contains("authhub login \(tool.resource) --challenge 'Bearer "), "\(refused.errorText)")
            #expect(try await tool.login(at: tool.resource, "--challenge", String(challenge)).status == 0)
            #expect(
                try await tool.run("status", "--as", tool.label, "-o", "json").json()["scope"] == ["mcp", "offline_access", "mcp:write"])
            #expect(try await tool.call("write_note").status == 0)
        }
    }

    @Test func `MC16: a resource that moves to another issuer gets a new client and new tokens, and the old ones are revoked`() async throws
    {
        try await Tool.using(Self.protected) { tool in
            try await withDevelopmentServer(Self.protected) { next in
                #expect(try await tool.login(at: tool.resource).status == 0)
                let old = try await tool.run("token", "--as", tool.label).text
                tool.server.faults.always(
                    at: .resourceMetadata, .altered([.member("authorization_servers", [.string(next.issuer)])]))
                let copied = try await tool.run(
                    ["login", tool.resource] + Tool.headless
                        + ["--client-id", try await tool.run("status", "--as", tool.label, "-o", "json").json()["client_id"]?.string ?? ""])
                #expect(copied.status == 64 && copied.errorText.contains("is registered at"), "\(copied.errorText)")
                #expect(next.log.entries.allSatisfy { $0.path.hasPrefix("/.well-known/") }, "nothing of the old account")

                let moved = try await tool.login(at: tool.resource)
                #expect(moved.status == 0 && moved.errorText.contains("now names \(next.issuer)"), "\(moved.errorText)")
                let status = try await tool.run("status", "--as", tool.label, "-o", "json").json()
                #expect(status["server"]?.string == next.issuer)
                let new = try await tool.run("token", "--as", tool.label).text
                #expect(new != old)
                #expect(tool.server.log.entries.contains { $0.path == "/revoke" })
                #expect(tool.server.log.entries.count { $0.path == "/register" } == 1)
                #expect(next.log.entries.count { $0.path == "/register" } == 1)
            }
        }
    }

    @Test func `MC24: a resource that names the server of another account gets no token, and the command to type works`() async throws {
        try await withStranger { tool, stranger in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let before = tool.server.log.entries.count { $0.path == "/authorize" || $0.path == "/register" }
            let url = stranger.issuer + "/mcp"
            let refused = try await tool.login(at: url)
            #expect(refused.status == 7 && refused.errorText.contains("which you also use (the account"), "\(refused.errorText)")
            #expect(refused.errorText.contains("--issuer \(tool.server.issuer)"), "\(refused.errorText)")
            #expect(tool.server.log.entries.count { $0.path == "/authorize" || $0.path == "/register" } == before)
            #expect(try await tool.login(at: url, "--issuer", tool.server.issuer).status == 0)
            #expect(try await tool.login(at: url).status == 0, "the account stays confirmed")
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 2)
        }
    }

    @Test func `MC24: accounts without an issuer, and unreadable ones, count as uses of the server`() async throws {
        try await withStranger { tool, stranger in
            let issuer = tool.server.issuer
            let endpoints = ["--authorization-endpoint", issuer + "/authorize", "--token-endpoint", issuer + "/token"]
            let login = try await tool.run(["login", issuer, "--client-id", "native-app", "--as", "other"] + endpoints + Tool.headless)
            #expect(login.status == 0, "\(login.errorText)")
            let refused = try await tool.login(at: stranger.issuer + "/mcp")
            #expect(refused.status == 7 && refused.errorText.contains("the account “other”"), "\(refused.errorText)")
            for file in try tool.folder.files(in: "/store/credentials") where file.hasSuffix(".credential") { try damage(file) }
            let unread = try await tool.login(at: stranger.issuer + "/mcp")
            #expect(unread.status == 7 && unread.errorText.contains("perhaps an account that cannot be read"), "\(unread.errorText)")
            #expect(!tool.server.log.entries.contains { $0.path == "/register" })
        }
    }

    @Test func `MC24: a client that is remembered for a server is not used for a resource that names the server`() async throws {
        try await withStranger { tool, stranger in
            let add = ["client", "add", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback"]
            #expect(try await tool.run(add).status == 0)
            let refused = try await tool.login(at: stranger.issuer + "/mcp")
            #expect(refused.status == 7 && refused.errorText.contains("a remembered client"), "\(refused.errorText)")
            #expect(!tool.server.log.entries.contains { $0.path == "/authorize" || $0.path == "/register" })
            #expect(try await tool.login(at: stranger.issuer + "/mcp", "--issuer", tool.server.issuer).status == 0)
        }
    }

    @Test func `MC24: the client in the environment is not used for a resource that only names the server`() async throws {
        try await withStranger { tool, stranger in
            var tool = tool
            tool.environment["AUTHHUB_CLIENT_ID"] = "native-app"
            let url = stranger.issuer + "/mcp"
            for words in [["login", url] + Tool.headless, ["request", url, "--sign-in", "--allow-insecure-loopback"]] {
                let refused = try await tool.run(words)
                #expect(refused.status != 0 && refused.errorText.contains("the client in AUTHHUB_CLIENT_ID"), "\(refused.errorText)")
                #expect(refused.errorText.contains("unset AUTHHUB_CLIENT_ID"), "\(refused.errorText)")
            }
            #expect(!tool.server.log.entries.contains { $0.path == "/authorize" })
            #expect(try await tool.login(at: url, "--issuer", tool.server.issuer).status == 0)
            #expect(tool.server.log.entries.contains { $0.path == "/authorize" })
        }
    }

    @Test func `MC25: a login replaces a registered client that the server no longer knows`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            tool.server.faults.next(at: .tokenEndpoint, .oauthError("invalid_client"))
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0 && login.errorText.contains("registering another one"), "\(login.errorText)")
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 2)
            #expect(try await tool.run("accounts", "-o", "json").json().array?.count == 1)
            #expect(try await tool.call("whoami").status == 0)
        }
    }

    @Test func `MC25: a first login whose client is not accepted can be typed again`() async throws {
        try await Tool.using(Self.protected) { tool in
            tool.server.faults.next(at: .tokenEndpoint, .oauthError("invalid_client"), .oauthError("invalid_client"))
            let login = try await tool.login(at: tool.resource, "--as", "work")
            #expect(login.status == 1, "\(login.errorText)")
            #expect(login.errorText.contains("authhub login \(tool.resource) --allow-insecure-loopback --as work"), "\(login.errorText)")
        }
    }

    @Test func `RS21: neither a redirect nor a next page leads out of the resource with the token`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            tool.server.faults.next(at: .resource, .answer(status: 302, header: ["Location": "/user"]))
            let redirected = try await tool.run("request", tool.resource)
            #expect(
                !redirected.errorText.contains("--send-token-to") && !redirected.errorText.contains("authhub login"),
                "\(redirected.errorText)")
            #expect(redirected.errorText.contains("it is only for \(tool.resource)"), "\(redirected.errorText)")
            let before = tool.server.log.requests(path: "/user")
            tool.server.faults.next(at: .resource, .answer(body: "[]", header: ["Link": "</user>; rel=\"next\""]))
            let pages = try await tool.run("request", tool.resource, "--paginate")
            #expect(
                pages.status == 7 && pages.text.isEmpty && pages.errorText.contains("not part of \(tool.resource)"), "\(pages.errorText)")
            #expect(tool.server.log.requests(path: "/user") == before)
        }
    }

    @Test func `MC25: a command whose client the server has lost says so, and the command to type works`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            tool.server.faults.next(at: .tokenEndpoint, .oauthError("invalid_client"))
            let refresh = try await tool.run("refresh", "--as", tool.label)
            #expect(refresh.status == 4 && refresh.errorText.contains("no longer knows the client"), "\(refresh.errorText)")
            #expect(refresh.errorText.contains("authhub login --as"), "\(refresh.errorText)")
            #expect(try await tool.run(["login", "--as", tool.label] + Tool.headless).status == 0)
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 2)
        }
    }

    @Test func `a request without an account for the resource says how to sign in there, even if another account exists`() async throws {
        try await Tool.using(Self.protected) { tool in
            let other = try await tool.run(tool.loginWords())
            #expect(other.status == 0, "\(other.errorText)")
            let elsewhere = try await withDevelopmentServer(Self.protected) { try await tool.run("request", "\($0.issuer)/mcp") }
            #expect(
                elsewhere.status == 4 && elsewhere.errorText.contains("/mcp --allow-insecure-loopback signs in there, or add --sign-in"),
                "\(elsewhere.errorText)")
        }
    }

    @Test(arguments: ["/user", "/mcpx", "/mcp/../user", "/mcp/%2e%2e/user", "/mcp/..%2Fuser"])
    func `MC17: the token is not sent to other paths of the origin`(path: String) async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let output = try await tool.run("request", "\(tool.server.issuer)\(path)", "--as", tool.label)
            #expect(output.errorText.contains("the token is not sent to \(tool.server.issuer), which is outside"), "\(output.errorText)")
            #expect(output.status != 0)
        }
    }

    @Test func `MC18: rejects http, except on this machine if it is allowed`() async throws {
        try await Tool.using(Self.protected) { tool in
            let login = try await tool.run("login", tool.resource)
            #expect(login.status == 64 && login.errorText.contains("--allow-insecure-loopback"), "\(login.errorText)")
            #expect(tool.server.log.entries.isEmpty)
        }
    }

    #if canImport(Glibc)
    /// Starts a request in a terminal, and signs in on the pages that it shows.
    private func pages(_ count: Int, of tool: Tool, requesting name: String) async throws -> String {
        var tool = tool
        tool.environment.merge(["AUTHHUB_BROWSER": "none", "NO_COLOR": "1"]) { $1 }
        let words = [Tool.path, "request", tool.resource, "--allow-insecure-loopback", "--sign-in", "--json", Tool.message(calling: name)]
        let terminal = try TerminalProcess(words, environment: tool.environment, size: (columns: 1000, lines: 50))
        let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
        for number in 1...count {
            let shown = await terminal.shown { $0.ranges(of: "Ctrl-C cancels").count >= number }
            let urls = shown.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.filter { $0.contains("/authorize?") }
            guard urls.count >= number else { return shown }
            try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(String(urls[number - 1]))
        }
        return await terminal.shown { _ in false }
    }

    @Test func `MC13 MC14: --sign-in signs in, requests more scope once, and retries the request`() async throws {
        try await Tool.using(Self.protected) { tool in
            let shown = try await pages(2, of: tool, requesting: "write_note")
            #expect(shown.contains("The note was written."), "\(shown)")
        }
    }

    @Test func `MC14: fails after one sign-in if the resource requires the same scope again`() async throws {
        try await Tool.using(Self.protected) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let fault = try #require(FaultPersona.resources.first { $0.id == "MC14-endless" })
            tool.server.faults.play(fault)
            let shown = try await pages(1, of: tool, requesting: "whoami")
            #expect(shown.contains("still requires more after the sign-in"), "\(shown)")
        }
    }

    @Test func `MC14: --sign-in shows one page if the text of the challenge changes with each response`() async throws {
        try await Tool.using(Self.protected) { tool in
            tool.server.rejectWithChangingChallenges()
            let shown = try await pages(1, of: tool, requesting: "whoami")
            #expect(shown.contains("still requires more after the sign-in"), "\(shown)")
        }
    }
    #endif
}

extension DevelopmentAuthorizationServer {
    /// Rejects requests to the resource for the same reason, each time in other words.
    func rejectWithChangingChallenges() {
        for number in 0..<20 {
            let challenge = #"Bearer realm="\#(number)", error_description="attempt \#(number)", scope="mcp""#
            faults.next(at: .resource, .answer(status: 401, body: "", header: ["WWW-Authenticate": challenge]))
        }
    }
}
