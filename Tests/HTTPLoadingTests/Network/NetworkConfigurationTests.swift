import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct NetworkConfigurationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The setting that the error names.
        let named: String
        let change: @Sendable (inout NetworkTransport.Configuration) -> Void
    }

    @Test(arguments: [
        Row(testDescription: "not PEM", named: "trust roots") { $0.trustRoots = .pem(Array("canary".utf8)) },
        Row(testDescription: "no trust roots", named: "trust roots") { $0.trustRoots = .pem([]) },
        Row(testDescription: "a damaged certificate", named: "trust roots") {
            $0.trustRoots = .systemAnd(pem: Array("-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----\n".utf8))
        },
        Row(testDescription: "a proxy without host", named: "proxy") { $0.proxy = .http(host: "", port: 8_080) },
        Row(testDescription: "a proxy given as a URL", named: "proxy") { $0.proxy = .http(host: "http://proxy.example", port: 8_080) },
        Row(testDescription: "a proxy without port", named: "proxy") { $0.proxy = .socks(host: "proxy.example", port: 0) },
        Row(testDescription: "an invalid port", named: "proxy") { $0.proxy = .socks(host: "proxy.example", port: 65_536) },
        Row(testDescription: "a colon in a user name", named: "user name contains a colon") {
            $0.proxy = .http(host: "proxy.example", port: 80, credentials: .init(userID: "a:b", password: Secret("canary")))
        },
        Row(testDescription: "a line break in a password", named: "password contains a control character") {
            $0.proxy = .http(host: "proxy.example", port: 80, credentials: .init(userID: "a", password: Secret("canary\r\n")))
        },
        Row(testDescription: "a timeout of zero", named: "connection timeout") { $0.connectTimeout = .zero },
        Row(testDescription: "zero connections", named: "connection") { $0.connectionsPerHost = 0 },
        Row(testDescription: "a user agent of two lines", named: "user agent") { $0.userAgent = "canary\r\nX: y" },
        Row(testDescription: "a body limit of zero", named: "decompression") { $0.decompression = .gzip(upTo: 0) },
        Row(testDescription: "a ratio of zero", named: "decompression") { $0.decompression = .gzip(ratio: -1) },
    ])
    func `invalid settings throw when the transport is created`(row: Row) throws {
        var configuration = NetworkTransport.Configuration()
        row.change(&configuration)
        let error = #expect(throws: NetworkTransport.ConfigurationError.self) { try NetworkTransport(configuration: configuration) }
        #expect(error?.description.contains(row.named) == true)
        #expect(!dumped(error).contains("canary"))
    }

    @Test func `printing a configuration does not show the password of a proxy`() {
        var configuration = NetworkTransport.Configuration()
        configuration.proxy = .http(host: "proxy.example", port: 80, credentials: .init(userID: "a", password: Secret("canary")))
        #expect(!dumped(configuration).contains("canary"))
    }

    @Test func `sends the user agent that was set`() async throws {
        var configuration = NetworkTransport.Configuration()
        configuration.userAgent = "tests/1"
        let transport = try NetworkTransport(configuration: configuration)
        let received = Mutex("")
        try await RawServer.run(
            answering: { connection in
                let text = try await connection.readRequest() ?? ""
                received.withLock { $0 = text }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            }, use: { _ = try await transport.send(.get("http://\($0)/")) })
        #expect(received.withLock { $0 }.contains("User-Agent: tests/1\r\n"))
    }

    private static func get(_ url: String, at address: String) throws -> LoadRequest {
        var request = try LoadRequest.get(url)
        request.options[ConnectionAddress.self] = address
        return request
    }

    @Test func `DD27: connects to the address that a request names, and sends the request to the host by its name`() async throws {
        let transport = NetworkTransport()
        let received = Mutex<[String]>([])
        try await RawServer.run(
            answering: { connection in
                while let text = try await connection.readRequest() {
                    received.withLock { $0.append(text) }
                    try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
                }
            },
            use: { authority in
                let port = authority.split(separator: ":").last ?? ""
                // The test uses more hosts than the number of clients that the transport keeps.
                for number in 0..<8 {
                    let response = try await transport.send(Self.get("http://NAME-\(number % 6).invalid:\(port)/path", at: "127.0.0.1"))
                    #expect(try await response.body.collect(upTo: 1) == [UInt8(ascii: "x")])
                }
                let elsewhere = try Self.get("http://\(authority)/", at: "127.0.0.2")
                let error = await #expect(throws: LoadError.self) { try await transport.send(elsewhere) }
                #expect(error?.code == .cannotConnect, "the server listens at 127.0.0.1 only")
                await transport.shutdown()
                let late = await #expect(throws: LoadError.self) { try await transport.send(elsewhere) }
                #expect(late?.code == .cannotConnect)
            })
        let texts = received.withLock { $0 }
        #expect(texts.count == 8)
        for (number, text) in texts.enumerated() {
            #expect(text.hasPrefix("GET /path HTTP/1.1\r\nHost: name-\(number % 6).invalid:"), "\(text)")
        }
    }

    @Test func `DD27: checks the certificate against the name, whatever address the connection goes to`() async throws {
        let certificate = try TestCertificate(host: "name.invalid")
        var configuration = NetworkTransport.Configuration()
        configuration.trustRoots = .pem(Array(certificate.pem.utf8))
        let transport = try NetworkTransport(configuration: configuration)
        try await RawServer.run(
            tls: try certificate.server(),
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                let port = authority.split(separator: ":").last ?? ""
                let named = try Self.get("https://name.invalid:\(port)/", at: "127.0.0.1")
                #expect(try await transport.send(named).status == .noContent)
                let other = try Self.get("https://other.invalid:\(port)/", at: "127.0.0.1")
                let error = await #expect(throws: LoadError.self) { try await transport.send(other) }
                #expect(error?.code == .notSecure)
            })
    }

    @Test func `connecting has its own timeout`() async throws {
        var configuration = NetworkTransport.Configuration()
        configuration.connectTimeout = .milliseconds(200)
        let transport = try NetworkTransport(configuration: configuration)
        try await RawServer.run(
            answering: { try await $0.waitForClose() },  // does not respond to the TLS handshake
            use: { authority in
                let error = await #expect(throws: LoadError.self) { try await transport.send(.get("https://\(authority)/")) }
                #expect(error?.code == .cannotConnect)
                #expect(error?.mayHaveBeenSent == false)
            })
    }

    @Test func `opens no more connections to a host than allowed`() async throws {
        var configuration = NetworkTransport.Configuration()
        configuration.connectionsPerHost = 1
        configuration.connectTimeout = .seconds(120)  // on a busy machine the twentieth waits for long
        let transport = try NetworkTransport(configuration: configuration)
        let open = Mutex(0)
        let most = Mutex(0)
        try await RawServer.run(
            answering: { connection in
                let count = open.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, count) }
                defer { open.withLock { $0 -= 1 } }
                while try await connection.readRequest() != nil {
                    try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                }
            },
            use: { authority in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<20 { group.addTask { _ = try await transport.send(.get("http://\(authority)/")) } }
                    try await group.waitForAll()
                }
            })
        #expect(most.withLock { $0 } == 1)
    }
}
