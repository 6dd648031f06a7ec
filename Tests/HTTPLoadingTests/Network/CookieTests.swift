import AsyncHTTPClientTransport
import HTTPLoading
import HTTPTypes
import Testing

/// Cookies link requests to each other and to a user, so a transport must not store them.
struct CookieTests {
    @Test func `TX04: does not return a server's cookie, over one connection or two`() async throws {
        let transport = NetworkTransport()
        let sent = try await RawServer.run(
            answering: { connection in
                while let text = try await connection.readRequest() {
                    let cookies = text.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cookie") }.count
                    let end = text.hasPrefix("GET /last") ? "Connection: close\r\n" : ""
                    try await connection.write(
                        "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Max-Age=9999\r\n\(end)Content-Length: 1\r\n\r\n\(cookies)"
                    )
                    if !end.isEmpty { return }
                }
            },
            use: { authority in
                var sent: [String] = []
                for path in ["first", "second", "last", "anew"] {
                    let response = try await transport.send(.get("http://\(authority)/\(path)"))
                    #expect(response.head.headerFields[values: .setCookie].count == 2)
                    sent.append(String(decoding: try await response.body.collect(upTo: 10), as: UTF8.self))
                }
                return sent
            })
        #expect(sent == ["0", "0", "0", "0"])
    }
}
