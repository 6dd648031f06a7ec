import HTTPLoading
import HTTPTypes
import Synchronization
import SystemTransportOnLinux
import Testing

struct RequestTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete, .post])
    func `method, target, header fields and body arrive unchanged`(method: HTTPRequest.Method) async throws {
        let (response, body, sent) = try await exchange(
            { authority in
                try LoadRequest(
                    method, "http://\(authority)/a%20b/c?d=e%2Ff", headers: [.accept: "text/plain", .authorization: "Bearer one"],
                    body: .bytes(Array("some bytes".utf8), contentType: "text/plain"))
            }, answering: Self.ok)
        #expect(response.head.status == .ok)
        #expect(body == Array("hi".utf8))
        let text = try #require(sent.first)
        #expect(text.hasPrefix("\(method) /a%20b/c?d=e%2Ff HTTP/1.1\r\n"))
        #expect(text.hasSuffix("\r\n\r\nsome bytes"))
        #expect(values(of: "Accept", in: text) == ["text/plain"])
        #expect(values(of: "Authorization", in: text) == ["Bearer one"])
        #expect(values(of: "Content-Type", in: text) == ["text/plain"])
        #expect(values(of: "Content-Length", in: text) == ["10"])
        #expect(sent.count == 1)
    }

    @Test func `framing and host are the system's, whatever the caller wrote, and all repetitions of a field arrive`() async throws {
        var fields: HTTPFields = [.contentLength: "7", .transferEncoding: "chunked"]
        for name in ["X-Colour", "X-Colour"].compactMap({ HTTPField.Name($0) }) { fields.append(HTTPField(name: name, value: "red")) }
        if let host = HTTPField.Name("Host") { fields[host] = "elsewhere.example" }
        let (_, _, sent) = try await exchange(
            { try .post("http://\($0)/", headers: fields, body: .bytes([65], contentType: "text/plain")) }, answering: Self.ok)
        let text = try #require(sent.first)
        #expect(values(of: "Content-Length", in: text) == ["1"])
        #expect(values(of: "Transfer-Encoding", in: text) == [])
        #expect(values(of: "Host", in: text).first?.hasPrefix("127.0.0.1:") == true)
        #expect(values(of: "X-Colour", in: text).joined(separator: ",").filter { $0 != " " } == "red,red")
    }

    @Test func `cookies belong to the chain: those from a server are not stored, those of a request are one field`() async throws {
        let transport = SystemTransport()
        let answer = "HTTP/1.1 200 OK\r\nSet-Cookie: kept=no; Path=/\r\nContent-Length: 2\r\n\r\nhi"
        let sent = Mutex<[String]>([])
        try await RawServer.run(
            answering: { connection in
                while let text = try await connection.readRequest() {
                    sent.withLock { $0.append(text) }
                    try await connection.write(answer)
                }
            },
            use: { authority in
                for fields: HTTPFields in [[:], [:], [.cookie: "a=1; b=2"]] {
                    let response = try await transport.send(.get("http://\(authority)/", headers: fields))
                    #expect(response.head.headerFields[.setCookie] == "kept=no; Path=/")
                    _ = try await response.body.collect(upTo: 2)
                }
            })
        #expect(sent.withLock { $0.map { values(of: "Cookie", in: $0) } } == [[], [], ["a=1; b=2"]])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `returns a redirect, and no credential reaches the foreign origin`(status: Int) async throws {
        let foreign = Mutex<[String]>([])
        try await RawServer.run(
            answering: { connection in
                while let text = try await connection.readRequest() {
                    foreign.withLock { $0.append(text) }
                    try await connection.write(Self.ok)
                }
            },
            use: { there in
                let answer = "HTTP/1.1 \(status) Elsewhere\r\nLocation: http://\(there)/there\r\nContent-Length: 4\r\n\r\ngone"
                let (response, body, sent) = try await exchange(
                    {
                        try .post(
                            "http://\($0)/", headers: [.authorization: "Bearer one", .cookie: "session=two"],
                            body: .bytes([65], contentType: "text/plain"))
                    }, answering: answer)
                #expect(response.head.status.code == status)
                #expect(response.head.headerFields[.location] == "http://\(there)/there")
                #expect(body == Array("gone".utf8))
                #expect(sent.count == 1)
            })
        #expect(foreign.withLock { $0 } == [])
    }

    // Does not cover Basic and Digest: with a delegate that has no credential, FoundationNetworking never ends such a task. Apple's
    // URLSession returns the response.
    @Test(.timeLimit(.minutes(3)), arguments: ["Bearer error=\"invalid_token\"", "DPoP error=\"use_dpop_nonce\""])
    func `a rejected credential is an ordinary response`(challenge: String) async throws {
        let (response, body, sent) = try await exchange(
            { try .get("http://\($0)/", headers: [.authorization: "Bearer one"]) },
            answering: "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        #expect(response.head.status == .unauthorized)
        #expect(response.head.headerFields[.wwwAuthenticate] == challenge)
        #expect(body == Array("no".utf8))
        #expect(sent.count == 1)
    }

    @Test func `rejects a URL that is not http or https before anything is sent`() async throws {
        let request = LoadRequest(HTTPRequest(method: .get, scheme: "ftp", authority: "127.0.0.1", path: "/"))
        let error = await failure { () async throws(LoadError) in _ = try await SystemTransport().send(request) }
        #expect(error?.code == .invalidRequest)
    }
}
