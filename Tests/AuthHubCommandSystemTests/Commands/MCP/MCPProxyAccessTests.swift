import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// When the proxy signs in, and what becomes of a sign-in whose host gives up.
struct MCPProxyAccessTests {
    private static let server = DevelopmentServerConfiguration(persona: .modelContext)
    private static let initialize =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
        + "\n"
    private static let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}"# + "\n"

    private static func answers(_ output: ChildProcess.Output) throws -> [JSONValue] {
        try output.text.split(separator: "\n").map { try JSONValue(strict: Array($0.utf8)) }
    }

    private static func signIns(_ tool: Tool) -> Int { tool.server.log.tokenRequests(grant: "authorization_code") }

    private static func result(_ id: String, _ result: String) -> Fault {
        .answer(status: 200, body: #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    @Test func `MC14: a challenge whose text changes with each response leads to one page`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.rejectWithChangingChallenges()
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words, input: Self.initialize + Self.call)
            #expect(Self.signIns(tool) == 1, "\(output.text)\(output.errorText)")
            #expect(try Self.answers(output).allSatisfy { $0["error"] != nil })
        }
    }

    @Test func `MC33: a server that requires no sign-in gets the first message as it is, and no page is opened`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.always(at: .resource, Self.result("0", #"{"protocolVersion":"2025-11-25"}"#))
            let output = try await tool.run(["mcp", "proxy", tool.resource] + Tool.headless, input: Self.initialize)
            #expect(try Self.answers(output).first?["result"] != nil, "\(output.text)\(output.errorText)")
            #expect(Self.signIns(tool) == 0 && !tool.server.log.entries.contains { $0.path == "/register" })
            #expect(tool.server.log.entries.first { $0.path == "/mcp" }?.method == "POST")

            tool.server.faults.always(at: .metadata, .status(404))
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0 && login.errorText.contains("requires no sign-in"), "\(login.errorText)")
            let document = try await tool.login(at: tool.resource, "-o", "json").json()
            #expect(document == ["signed_in": false, "url": .string(tool.resource)])
        }
    }

    @Test func `MC33: the first message finds the sign-in of a server that challenges only POST`() async throws {
        try await Tool.using(Self.server) { tool in
            let output = try await tool.run(
                ["mcp", "proxy", tool.resource] + Tool.headless, input: Self.initialize + Self.call)
            #expect(try Self.answers(output).last?["result"] != nil, "\(output.text)\(output.errorText)")
            #expect(tool.server.log.entries.first { $0.path == "/mcp" }?.method == "POST")
            #expect(!tool.server.log.entries.prefix { $0.path != "/token" }.contains { $0.path == "/mcp" && $0.method == "GET" })
        }
    }

    @Test(arguments: [
        ("no challenge", Fault.answer(status: 401, body: "{}")),
        ("a scheme without tokens", .answer(status: 401, body: "{}", header: ["WWW-Authenticate": "Basic realm=a"])),
        (
            "a challenge that is too long to pass on",
            .answer(
                status: 401, body: "{}", header: ["WWW-Authenticate": "Bearer error_description=\(String(repeating: "a", count: 20_000))"])
        ),
    ])
    func `MC33: the proxy signs in whatever the challenge is`(description: String, rejection: Fault) async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.next(at: .resource, rejection)
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words, input: Self.initialize + Self.call)
            #expect(try Self.answers(output).allSatisfy { $0["result"] != nil }, "\(description): \(output.text)\(output.errorText)")
            #expect(Self.signIns(tool) == 1, "\(description)")
        }
    }

    @Test(
        arguments: [
            ([:], ["requires a token", "--without-resource-metadata", "--header"]),
            (["WWW-Authenticate": "Basic realm=a"], ["such as a password", "--header Authorization=@FILE"]),
        ] as [([String: String], [String])])
    func `MC33: reports a server that requires a token but has no metadata`(header: [String: String], says: [String]) async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.always(at: .metadata, .status(404))
            tool.server.faults.always(at: .resource, .answer(status: 401, body: "{}", header: header))
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 1)
            for text in says { #expect(login.errorText.contains(text), "\(login.errorText)") }
        }
    }

    @Test(arguments: [("", "text/plain"), ("<p>Not Found</p>", "text/html"), (#"{"detail":"Not Found"}"#, "application/json")])
    func `MC23: a server without metadata that has no registration endpoint needs a client`(body: String, type: String) async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC23-nothing" }))
            tool.server.faults.always(at: .registration, .answer(status: 404, mediaType: type, body: body))
            let login = try await tool.login(at: tool.resource, "--without-resource-metadata")
            #expect(login.status == 64 && login.errorText.contains("add --client-id ID"), "\(login.errorText)")
        }
    }

    @Test func `MC33: a login ignores a challenge for POST without tokens`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.next(
                at: .resource, .status(405), .answer(status: 401, body: "{}", header: ["WWW-Authenticate": "Basic realm=a"]))
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0, "\(login.errorText)")
        }
    }

    @Test func `MC31: a response on the stream of notifications is not passed on, and an error without an ID is`() async throws {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let words = ["mcp", "proxy", tool.resource, "--allow-insecure-loopback"]
            tool.server.faults.next(at: .resource, Self.result("0", #"{"protocolVersion":"2025-11-25"}"#), .status(202))
            let event = #"data: {"jsonrpc":"2.0","id":1,"result":{}}"# + "\n\n"
            tool.server.faults.always(at: .resource, .answer(status: 200, mediaType: "text/event-stream", body: event))
            let initialized = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n"
            let output = try await tool.run(words, input: Self.initialize + initialized + Self.call)
            #expect(try Self.answers(output).map { $0["id"] } == [0, 1], "\(output.text)\(output.errorText)")

            let error = #"data: {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a"}}"# + "\n\n"
            tool.server.faults.clear()
            tool.server.faults.always(at: .resource, .answer(status: 200, mediaType: "text/event-stream", body: error))
            let failed = try await tool.run(words, input: Self.call)
            #expect(try Self.answers(failed).map { $0["id"] } == [1], "\(failed.text)\(failed.errorText)")
        }
    }

    @Test func `a failed sign-in of the proxy suggests commands that a user can type`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC03-neighbor" }))
            let output = try await tool.run(["mcp", "proxy", tool.resource, "--as", "work"] + Tool.headless, input: Self.initialize)
            #expect(output.text.contains("authhub login ") && !output.text.contains("--sign-in"), "\(output.text)\(output.errorText)")
        }
    }

    @Test func `MC34: a sign-in outlives a host that gives up, and the next process takes its result`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.next(at: .tokenEndpoint, .hold)
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let process = try tool.start(words, input: Self.initialize)
            await tool.untilLogged(by: process) { $0.entries.contains { $0.path == "/consent" } }
            process.send(SIGKILL)
            _ = await process.end()
            let next = try tool.start(words, input: Self.initialize + Self.call)
            _ = await next.wait { $0.errorText.contains("waiting for it to finish") }
            tool.server.faults.releaseHeldRequests()
            let output = await next.end()
            #expect(try Self.answers(output).last?["result"] != nil, "\(output.text)\(output.errorText)")
            #expect(Self.signIns(tool) == 1 && !output.errorText.contains("Sign in on this page"))
        }
    }

    @Test func `MC35: 400 for a session that worked before starts a new one, once`() async throws {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let lost = Fault.answer(
                status: 400, body: #"{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}"#)
            let initialized = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n"
            tool.server.faults.next(at: .resource, .altered([]), .altered([]), .altered([]), lost)
            let output = try await tool.run(
                ["mcp", "proxy", tool.resource, "--allow-insecure-loopback"], input: Self.initialize + initialized + Self.call)
            #expect(try Self.answers(output).allSatisfy { $0["result"] != nil }, "\(output.text)")
        }
    }

    @Test func `MC31: what a JavaScript host accepts is passed on`() async throws {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            tool.server.faults.always(at: .resource, Self.result(#""1""#, #"{"t":"cut \ud83d","a":1,"a":2}"#))
            let output = try await tool.run(["mcp", "proxy", tool.resource, "--allow-insecure-loopback"], input: Self.call)
            #expect(output.text == #"{"jsonrpc":"2.0","id":1,"result":{"t":"cut \ud83d","a":1,"a":2}}"# + "\n", "\(output.errorText)")
        }
    }

    @Test(arguments: [
        ("a body", "application/json", ""), ("an event", "text/event-stream", "data: "),
    ])
    func `the messages of an array from the server are passed on one by one`(place: String, mediaType: String, prefix: String) async throws
    {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let note = #"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a"}}"#
            let result = #"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#
            tool.server.faults.always(
                at: .resource, .answer(status: 200, mediaType: mediaType, body: "\(prefix)[\(note),\(result)]\n\n"))
            let output = try await tool.run(["mcp", "proxy", tool.resource, "--allow-insecure-loopback"], input: Self.call)
            #expect(output.text == note + "\n" + result + "\n", "\(place): \(output.errorText)")
        }
    }

    @Test(arguments: [
        ("no challenge for GET, and metadata that lists more", Fault.status(405), #"Bearer scope="mcp""#),
        ("GET is unknown", .status(404), #"Bearer scope="mcp", error="invalid_token""#),
    ])
    func `MC33: login sends initialize if the server does not accept GET`(description: String, get: Fault, challenge: String) async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.next(
                at: .resource, get, .answer(status: 401, body: "{}", header: ["WWW-Authenticate": challenge]))
            #expect(try await tool.login(at: tool.resource).status == 0, "\(description)")
            let sent = tool.server.log.entries.filter { $0.path == "/mcp" }.map(\.method)
            #expect(sent == ["GET", "POST"], "\(description)")
            let status = try await tool.run("status", "--as", tool.label, "-o", "json")
            #expect(try status.json()["scope"]?.array?.contains("mcp:write") == false, "\(description): \(status.text)")
        }
    }

    @Test func `a header field with a token replaces the account, and its value is not on the command line`() async throws {
        try await Tool.using(Self.server) { tool in
            let file = try tool.folder.write("Bearer static\n", to: "field")
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words + ["--header", "Authorization=@\(file)"], input: Self.call)
            #expect(try Self.answers(output).last?["error"]?["message"]?.string?.contains("401") == true, "\(output.text)")
            #expect(tool.server.log.entries.filter { $0.path == "/mcp" }.allSatisfy(\.hasBearerToken) && Self.signIns(tool) == 0)
            for wrong in ["Authorization=Bearer x", "Authorization", "=@x", "Accept=@\(file)", "X=$AUTHHUB_NOT_SET"] {
                let output = try await tool.run(words + ["--header", wrong])
                #expect(output.status == 64, "\(wrong)")
            }
        }
    }

    @Test func `a server of 2024-11-05 is named as such`() async throws {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.next(
                at: .resource, .status(405),
                .answer(status: 200, mediaType: "text/event-stream", body: "event: endpoint\ndata: /messages?id=1\n\n"))
            let output = try await tool.run(["mcp", "proxy", tool.resource] + Tool.headless, input: Self.initialize)
            #expect(output.text.contains("2024-11-05"), "\(output.text)\(output.errorText)")
        }
    }

    @Test func `the URL of a server may have a query`() async throws {
        try await Tool.using(Self.server) { tool in
            let url = tool.resource + "?tenant=1"
            #expect(try await tool.login(at: url).status == 0)
            let output = try await tool.run(["mcp", "proxy", url, "--allow-insecure-loopback"], input: Self.call)
            #expect(try Self.answers(output).last?["result"] != nil, "\(output.text)\(output.errorText)")
            #expect(Self.signIns(tool) == 1)
        }
    }

    @Test func `a typed login clears that the user has declined`() async throws {
        try await Tool.using(Self.server) { tool in
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let declined = try await tool.run(words + ["--deny"], input: Self.initialize)
            #expect(declined.text.contains("error"), "\(declined.errorText)")
            #expect(try await tool.login(at: tool.resource).status == 0)
            let note = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_note","arguments":{}}}"# + "\n"
            let output = try await tool.run(words, input: Self.initialize + note)
            #expect(try Self.answers(output).last?["result"] != nil, "\(output.text)\(output.errorText)")
        }
    }
}
