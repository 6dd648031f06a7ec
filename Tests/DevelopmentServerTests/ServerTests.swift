import AsyncHTTPClient
import AuthHubPrimitives
import AuthHubTesting
import DevelopmentServer
import InMemoryLogging
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@Suite struct ServerTests {
    struct Odd: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPMethod
        let path: String
        var headers: [String: String] = [:]
        var body: String?
        let status: Int
    }

    @Test(arguments: [
        Odd(testDescription: "an unknown path", method: .GET, path: "/nowhere", status: 404),
        Odd(testDescription: "a wrong method", method: .GET, path: "/token", status: 405),
        Odd(testDescription: "a body of 65 KiB", method: .POST, path: "/token", body: String(repeating: "a", count: 65 << 10), status: 413),
        Odd(testDescription: "a body that is not a form", method: .POST, path: "/token", body: "{}", status: 400),
        Odd(testDescription: "a query that is not form-encoded", method: .GET, path: "/authorize?state=%zz", status: 400),
        Odd(testDescription: "the name of another host", method: .GET, path: "/user", headers: ["Host": "evil.example"], status: 421),
    ])
    func `an invalid request gets a response that says so`(row: Odd) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.client.send(row.method, flow.server.issuer + row.path, headers: row.headers, body: row.body)
            #expect(answer.status == row.status)
            #expect(row.status != 405 || answer.header("Allow") == "POST")
        }
    }

    @Test func `the log shows which requests arrived, and none of their values`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let code = try await flow.code()
            let answer = try await flow.exchange(code)
            _ = try await flow.status(ofAccessToken: Tokens(answer).access)
            let entries = flow.server.log.entries
            let token = try #require(entries.first { $0.path == "/token" })
            #expect(token.method == "POST" && token.status == 200 && token.grantType == "authorization_code")
            #expect(token.formNames == ["grant_type", "code", "redirect_uri", "code_verifier", "client_id"])
            #expect(entries.last?.hasBearerToken == true)
            #expect(flow.server.log.requests(path: "/user") == 1)
            var text = ""
            dump(entries, to: &text)
            for secret in [code, Tokens(answer).access, Tokens(answer).refresh, Flow.verifier, "octocat-password"] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test func `shutting down closes idle connections, ends held requests and logs no error`() async throws {
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "tests", factory: { _ in handler })
        try await Flow.run(.init(persona: .openID, port: Int(try quietPort()), logger: logger)) { flow in
            let tokens = try await flow.tokens()
            flow.server.faults.nextTokenResponse(.hold)
            async let held = flow.refresh(tokens.refresh)
            await flow.server.log.wait { $0.tokenRequests(grant: "refresh_token") == 1 }
            await flow.server.shutdown()
            _ = try? await held
            await flow.server.shutdown()
            let port = flow.server.port
            try await onceItSucceeds { try await Server.start(.init(persona: .openID, port: port)) }.shutdown()
        }
        #expect(handler.entries.contains { $0.message == "POST /token 200" })
        #expect(handler.entries.filter { $0.level >= .warning }.isEmpty)
        let lines = handler.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n")
        #expect(!lines.contains("code="))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            "", "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf",
            "GET /jwks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        ])
    func `shutting down finishes although a client keeps its connection open`(sent: String) async throws {
        let server = try await Server.start(.init(persona: .openID))
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: server.port).get()
        try await connection.writeAndFlush(ByteBuffer(string: sent))
        await server.shutdown()
        try? await connection.close()
    }

    @Test func `the error names a port that is in use`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let port = flow.server.port
            let error = await #expect(throws: DevelopmentServerError.self) {
                try await Server.start(.init(persona: .openID, port: port))
            }
            #expect(error?.description.contains("127.0.0.1:\(port)") == true)
        }
    }

    @Test func `the description contains everything that a program needs to use the server`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let description = flow.server.description()
            #expect(description["issuer"]?.string == flow.server.issuer)
            #expect(description["clients"]?["public"]?["client_secret"] == nil)
            #expect(description["clients"]?["confidential"]?["client_secret"]?.string == flow.server.clients[1].secret?.reveal())
            #expect(description["clients"]?["device"]?["client_id"] == description["clients"]?["public"]?["client_id"])
            let redirects = description["clients"]?["public"]?["redirect_uris"]?.array?.compactMap(\.string) ?? []
            #expect(redirects.first?.hasPrefix("http://127.0.0.1:") == true && redirects.contains("authhub://callback"))
            for uri in redirects {
                let path = flow.authorizationPath(changing: ["redirect_uri": uri])
                #expect(try await flow.client.get(flow.server.issuer + path).status < 400, "\(uri)")
            }
            #expect(description["user"]?["username"] == "octocat")
            #expect(description["endpoints"]?["token_endpoint"]?.string == flow.server.tokenEndpoint)
            let metadata = try await flow.client.get(description["metadata_url"]?.string ?? "").json
            #expect(metadata == description["metadata"])
        }
    }

    struct Users: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let error: DevelopmentServerError?
    }

    @Test(arguments: [
        Users(testDescription: "login and password are enough", json: #"[{"login":"hubot","password":"p"}]"#, error: nil),
        Users(testDescription: "not an array", json: "{}", error: .noUsers),
        Users(testDescription: "nobody", json: "[]", error: .noUsers),
        Users(
            testDescription: "no password", json: #"[{"login":"hubot"}]"#,
            error: .unusableUser(position: 0, reason: "\"password\" is missing")),
        Users(
            testDescription: "an ID that is a string", json: #"[{"login":"hubot","password":"p","id":"1"}]"#,
            error: .unusableUser(position: 0, reason: "\"id\" is not a positive integer")),
        Users(
            testDescription: "a duplicate login", json: #"[{"login":"hubot","password":"p"},{"login":"hubot","password":"q"}]"#,
            error: .unusableUser(position: 1, reason: "its login or id is already used by another user")),
    ])
    func `reads users from JSON, and names an invalid one`(row: Users) throws {
        let json = try JSONValue(strict: row.json.utf8)
        do throws(DevelopmentServerError) {
            let users = try DevelopmentUser.list(json: json)
            #expect(row.error == nil)
            #expect(users.map(\.login) == ["hubot"] && users.first?.email == "hubot@example.com")
        } catch {
            #expect(error == row.error)
        }
    }
}
