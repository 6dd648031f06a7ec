import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import NIOCore
import Synchronization
import Testing

/// A proxy that responds itself, instead of any server, and records the requests.
struct ProxyTests {
    @Test func `requests a tunnel from a proxy, and the proxy credentials go to the proxy only`() async throws {
        let (result, asked, tunnelled) = try await exchange(
            { .http(host: "127.0.0.1", port: $0, credentials: .init(userID: "user", password: Secret("canary"))) },
            speaking: Self.answerCONNECT)
        #expect(try result.get().status == .noContent)
        #expect(asked.hasPrefix("CONNECT origin.invalid:80 HTTP/1.1\r\n"))
        #expect(asked.contains("proxy-authorization: Basic dXNlcjpjYW5hcnk=\r\n"))
        #expect(!asked.contains("token-of-the-origin"))
        #expect(tunnelled.hasPrefix("GET /path HTTP/1.1\r\nHost: origin.invalid\r\n"))
        #expect(tunnelled.contains("Authorization: Bearer token-of-the-origin\r\n"))
        #expect(!tunnelled.lowercased().contains("proxy-") && !tunnelled.contains("dXNlcjpjYW5hcnk="))
    }

    @Test func `a SOCKS proxy gets the name of the server, and nothing else`() async throws {
        let (result, asked, tunnelled) = try await exchange({ .socks(host: "127.0.0.1", port: $0) }, speaking: Self.answerSOCKS)
        #expect(try result.get().status == .noContent)
        #expect(asked.contains("origin.invalid"))
        #expect(!asked.contains("token-of-the-origin"))
        #expect(tunnelled.hasPrefix("GET /path HTTP/1.1\r\nHost: origin.invalid\r\n"))
    }

    @Test(arguments: [
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=canary\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\ncanary",
    ])
    func `reports a proxy that rejects the tunnel as no connection, and sends it no request`(answer: String) async throws {
        let (result, _, tunnelled) = try await exchange(
            { .http(host: "127.0.0.1", port: $0) },
            speaking: { connection in
                let asked = try await connection.readRequest() ?? ""
                try await connection.write(answer)
                return asked
            })
        let error = #expect(throws: LoadError.self) { try result.get() }
        #expect(error?.code == .cannotConnect)
        #expect(error?.mayHaveBeenSent == false)
        #expect(!dumped(error).contains("canary"))
        #expect(tunnelled.isEmpty)
    }

    @Test func `reports a proxy that does not speak SOCKS as no connection`() async throws {
        let (result, _, tunnelled) = try await exchange(
            { .socks(host: "127.0.0.1", port: $0) },
            speaking: { connection in
                _ = try await connection.readSome()
                try await connection.write([4, 0xFF])
                return ""
            })
        let error = #expect(throws: LoadError.self) { try result.get() }
        #expect(error?.code == .cannotConnect)
        #expect(tunnelled.isEmpty)
    }

    private static let answerCONNECT: @Sendable (RawConnection) async throws -> String = { connection in
        let asked = try await connection.readRequest() ?? ""
        try await connection.write("HTTP/1.1 200 Connection Established\r\n\r\n")
        return asked
    }

    /// Responds as a SOCKS proxy (RFC 1928 §3 to §6).
    private static let answerSOCKS: @Sendable (RawConnection) async throws -> String = { connection in
        let greeting = try await connection.readSome() ?? []
        try await connection.write([5, 0])
        let asked = try await connection.readSome() ?? []
        try await connection.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
        return String(decoding: greeting + asked, as: UTF8.self)
    }

    /// Returns the result of a GET request to a server that only the proxy knows, the requests to the proxy, and the bytes that passed
    /// through it.
    private func exchange(
        _ proxy: (_ port: Int) -> NetworkTransport.Proxy, speaking negotiate: @escaping @Sendable (RawConnection) async throws -> String
    ) async throws -> (Result<LoadResponse, any Error>, asked: String, tunnelled: String) {
        let asked = Mutex("")
        let tunnelled = Mutex("")
        let result: Result<LoadResponse, any Error> = try await RawServer.run(
            answering: { connection in
                let question = try await negotiate(connection)
                asked.withLock { $0 = question }
                guard let text = try await connection.readRequest() else { return }
                tunnelled.withLock { $0 = text }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                var configuration = NetworkTransport.Configuration()
                configuration.connectTimeout = .seconds(120)  // the machine is busy with other tests
                let port = try #require(authority.split(separator: ":").last.flatMap { Int($0) })
                configuration.proxy = proxy(port)
                let transport = try NetworkTransport(configuration: configuration)
                do {
                    return .success(
                        try await transport.send(
                            .get("http://origin.invalid/path", headers: [.authorization: "Bearer token-of-the-origin"])))
                } catch {
                    return .failure(error)
                }
            })
        return (result, asked.withLock { $0 }, tunnelled.withLock { $0 })
    }
}
