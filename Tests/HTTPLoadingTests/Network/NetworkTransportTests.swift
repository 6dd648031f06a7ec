import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct NetworkTransportTests {
    private let transport = NetworkTransport()

    @Test func `sends a request as it is written`() async throws {
        let sent = try await sent { authority in
            try LoadRequest(
                .post, "http://\(authority)/a%2Fb/../c?q=%20+&q=2", headers: [.accept: "text/plain", .accept: "text/html"],
                body: .form(["grant_type": "x y"]))
        }
        let lines = sent.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "POST /a%2Fb/../c?q=%20+&q=2 HTTP/1.1")
        #expect(lines.contains { $0.hasPrefix("Host: 127.0.0.1:") })
        #expect(lines.filter { $0.hasPrefix("Accept:") } == ["Accept: text/plain", "Accept: text/html"])
        #expect(lines.contains("Content-Type: application/x-www-form-urlencoded"))
        #expect(lines.contains("Content-Length: 14"))
        #expect(lines.contains("User-Agent: AuthHub/\(AuthHubVersion.current)"))
        #expect(lines.last == "grant_type=x+y")
        let names = lines.dropFirst().prefix { !$0.isEmpty }.map { $0.prefix { $0 != ":" }.lowercased() }
        #expect(Set(names) == ["host", "accept", "content-type", "content-length", "user-agent"])
    }

    @Test func `keeps the request's own content type and user agent`() async throws {
        let sent = try await sent { authority in
            try .post(
                "http://\(authority)/", headers: [.contentType: "application/jwt", .userAgent: "tests"],
                body: .bytes(Array("x".utf8), contentType: "text/plain"))
        }
        #expect(sent.contains("Content-Type: application/jwt\r\n"))
        #expect(sent.contains("User-Agent: tests\r\n"))
        #expect(!sent.contains("text/plain") && !sent.contains("AuthHub"))
    }

    @Test func `omits header fields that would contradict the target or the body`() async throws {
        let host = try #require(HTTPField.Name("Host"))
        let sent = try await sent { authority in
            try .post(
                "http://\(authority)/", headers: [host: "elsewhere.example", .contentLength: "999", .transferEncoding: "chunked"],
                body: .bytes([0x61]))
        }
        #expect(!sent.contains("elsewhere") && !sent.contains(" 999") && !sent.contains("chunked"))
    }

    @Test func `sends cookies in one field, however they were set`() async throws {
        let sent = try await sent { authority in
            try .get("http://\(authority)/", headers: [.cookie: "a=1; b=2", .cookie: "c=3"])
        }
        #expect(sent.split(separator: "\r\n").filter { $0.hasPrefix("Cookie:") } == ["Cookie: a=1; b=2; c=3"])
    }

    @Test func `keeps status and repeated fields of a response`() async throws {
        let response = try await answer(
            "HTTP/1.1 299 Fine\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a=b, c\r\nSet-Cookie: d\r\nContent-Length: 2\r\n\r\nhi")
        let repeated = try #require(HTTPField.Name("x-a"))
        #expect(response.head.status.code == 299)
        #expect(response.head.headerFields[values: repeated] == ["1", "2"])
        #expect(response.head.headerFields[values: .setCookie] == ["a=b, c", "d"])
        #expect(response.body.announcedLength == 2)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is an ordinary response`(status: Int) async throws {
        let response = try await answer("HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        #expect(response.status.code == status)
        #expect(response.head.headerFields[.location] == "http://127.0.0.1:1/")
    }

    @Test func `returns compressed bytes unchanged, because none were requested`() async throws {
        let body = try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nzzzz")
            },
            use: { authority in
                try await transport.send(.get("http://\(authority)/")).body.collect(upTo: 10)
            })
        #expect(body == Array("zzzz".utf8))
    }

    @Test(arguments: [
        HTTPRequest(method: .get, scheme: nil, authority: "example.com", path: "/"),
        HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/"),
        HTTPRequest(method: .get, scheme: "ftp", authority: "example.com", path: "/"),
        HTTPRequest(method: .get, scheme: "https", authority: "user@example.com", path: "/"),
        HTTPRequest(method: .get, scheme: "https", authority: "example.com/evil", path: "/"),
        HTTPRequest(method: .options, scheme: "https", authority: "example.com", path: "*"),
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a b"),
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a#b"),
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a\r\nX: y"),
        // AsyncHTTPClient would send “/” instead.
        HTTPRequest(method: .delete, scheme: "https", authority: "example.com", path: "/mcp/item/%ff"),
        HTTPRequest(method: .post, scheme: "https", authority: "example.com", path: "/mcp/%c0%ae%c0%ae/x?q=1"),
    ])
    func `rejects a request without a valid target before anything is sent`(head: HTTPRequest) async throws {
        let error = await #expect(throws: LoadError.self) { try await transport.send(LoadRequest(head)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveBeenSent == false)
    }

    @Test func `the shared transport stays usable after a shutdown, others do not`() async throws {
        try await RawServer.run(
            answering: { connection in
                while try await connection.readRequest() != nil {
                    try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                }
            },
            use: { authority in
                await NetworkTransport.shared.shutdown()
                let response = try await NetworkTransport.shared.send(.get("http://\(authority)/"))
                #expect(response.status == .noContent)

                await transport.shutdown()
                await transport.shutdown()
                let error = await #expect(throws: LoadError.self) { try await transport.send(.get("http://\(authority)/")) }
                #expect(error?.code == .cannotConnect)
                #expect(error?.explanation == "already shutdown")
            })
    }

    /// Returns the bytes that the server receives for a request.
    private func sent(_ request: @Sendable (_ authority: String) throws -> LoadRequest) async throws -> String {
        let received = Mutex("")
        try await RawServer.run(
            answering: { connection in
                let text = try await connection.readRequest() ?? ""
                received.withLock { $0 = text }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                let response = try await transport.send(request(authority))
                #expect(response.status == .noContent)
            })
        return received.withLock { $0 }
    }

    /// The outcome of a response.
    private func answer(_ text: String) async throws -> LoadResponse {
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write(text)
            }, use: { try await transport.send(.get("http://\($0)/")) })
    }
}
