import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import NIOSSL
import Synchronization
import Testing

/// Tests how a server's identity is verified, and with which certificate authorities.
struct SecureConnectionTests {
    @Test func `accepts a server whose certificate was issued by a custom root`() async throws {
        let certificate = try TestCertificate.loopback()
        let (result, sent) = try await exchange(with: certificate, trusting: .pem(Array(certificate.pem.utf8)))
        #expect(try result.get() == 204)
        #expect(sent.contains("GET /path HTTP/1.1\r\n"))
    }

    @Test func `trusts custom roots in addition to those of the system`() async throws {
        let certificate = try TestCertificate.loopback()
        let (result, _) = try await exchange(with: certificate, trusting: .systemAnd(pem: Array(certificate.pem.utf8)))
        #expect(try result.get() == 204)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var address: [UInt8] = [127, 0, 0, 1]
        /// Whether the trusted authorities include the issuer of the server's certificate.
        var isTrusted = true
        var isSystem = false
        var validFrom = "20200101000000Z"
        var validUntil = "20491231235959Z"
    }

    @Test(arguments: [
        Row(testDescription: "TX01 self-signed, unknown to the system", isSystem: true),
        Row(testDescription: "TX01 unknown to custom roots", isTrusted: false),
        Row(testDescription: "TX01 a certificate for another address", address: [192, 0, 2, 1]),
        Row(testDescription: "TX01 an expired certificate", validUntil: "20200102000000Z"),
        Row(testDescription: "TX01 a certificate that is not valid yet", validFrom: "20480101000000Z"),
    ])
    func `sends nothing to a server with a wrong identity`(row: Row) async throws {
        let certificate = try TestCertificate(address: row.address, from: row.validFrom, until: row.validUntil)
        let roots = row.isTrusted ? certificate : try TestCertificate(address: row.address)
        let (result, sent) = try await exchange(with: certificate, trusting: row.isSystem ? .system : .pem(Array(roots.pem.utf8)))
        let error = #expect(throws: LoadError.self) { try result.get() }
        #expect(error?.code == .notSecure)
        #expect(error?.mayHaveBeenSent == false)
        #expect(sent.isEmpty)
    }

    @Test func `offers only HTTP/1.1 if nothing else is wanted`() async throws {
        let certificate = try TestCertificate.loopback()
        let (result, sent) = try await exchange(
            with: certificate, offering: ["http/1.1"], trusting: .pem(Array(certificate.pem.utf8)), versions: .http1Only)
        #expect(try result.get() == 204)
        #expect(sent.contains("HTTP/1.1\r\n"))
    }

    @Test func `speaks HTTP/2 if the server offers it, and not if only HTTP/1.1 is wanted`() async throws {
        let certificate = try TestCertificate.loopback()
        let roots = NetworkTransport.TrustRoots.pem(Array(certificate.pem.utf8))
        let (_, automatic) = try await exchange(with: certificate, offering: ["h2", "http/1.1"], trusting: roots)
        #expect(automatic.hasPrefix("PRI * HTTP/2.0\r\n\r\n"))
        let (result, old) = try await exchange(with: certificate, offering: ["h2", "http/1.1"], trusting: roots, versions: .http1Only)
        #expect(try result.get() == 204)
        #expect(old.hasPrefix("GET /path HTTP/1.1\r\n"))
    }

    @Test func `sends nothing to a server that supports only TLS 1.1 or older`() async throws {
        let certificate = try TestCertificate.loopback()
        var configuration = NetworkTransport.Configuration()
        configuration.trustRoots = .pem(Array(certificate.pem.utf8))
        let transport = try NetworkTransport(configuration: configuration)
        let error = try await RawServer.run(
            tls: certificate.server(upTo: .tlsv11),
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                await #expect(throws: LoadError.self) { try await transport.send(.get("https://\(authority)/path")) }
            })
        #expect(error?.code == .notSecure)
    }

    // Only large numbers: for an empty status, a negative one, or one below 100, the underlying packages trap.
    @Test(arguments: ["2000", "9223372036854775807"])
    func `TX07: an invalid status over HTTP/2 is the server's fault`(status: String) async throws {
        let certificate = try TestCertificate.loopback()
        var configuration = NetworkTransport.Configuration()
        configuration.trustRoots = .pem(Array(certificate.pem.utf8))
        let transport = try NetworkTransport(configuration: configuration)
        let error = try await RawServer.run(
            tls: certificate.server(offering: ["h2"]),
            answering: { connection in
                // SETTINGS, and HEADERS with a literal `:status` for the first stream (RFC 9113 §6, RFC 7541 §6.2.2).
                try await connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
                var received: [UInt8] = []
                while !Self.hasHeaders(received), let bytes = try await connection.readSome() { received += bytes }
                let length = UInt8(status.utf8.count)
                try await connection.write([0, 0, length + 2, 1, 5, 0, 0, 0, 1, 0x08, length] + Array(status.utf8))
                try await connection.waitForClose()
            },
            use: { authority in
                await #expect(throws: LoadError.self) { try await transport.send(.get("https://\(authority)/path")) }
            })
        #expect(error?.code == .invalidResponse)
    }

    /// Whether a HEADERS frame follows the connection preface of a client.
    private static func hasHeaders(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.dropFirst(24)
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            if head[3] == 1 { return true }
            rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        }
        return false
    }

    /// Returns the status of a GET request, and the first bytes that the server could read.
    private func exchange(
        with certificate: TestCertificate, offering protocols: [String] = [], trusting roots: NetworkTransport.TrustRoots,
        versions: NetworkTransport.HTTPVersions = .automatic
    ) async throws -> (Result<Int, any Error>, sent: String) {
        var configuration = NetworkTransport.Configuration()
        configuration.trustRoots = roots
        configuration.httpVersions = versions
        let transport = try NetworkTransport(configuration: configuration)
        let received = Mutex("")
        let result: Result<Int, any Error> = try await RawServer.run(
            tls: certificate.server(offering: protocols),
            answering: { connection in
                guard let bytes = try await connection.readSome() else { return }
                let text = String(decoding: bytes, as: UTF8.self)
                received.withLock { $0 = text }
                guard !text.hasPrefix("PRI") else { return }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                do {
                    return .success(try await transport.send(.get("https://\(authority)/path")).status.code)
                } catch {
                    return .failure(error)
                }
            })
        return (result, received.withLock { $0 })
    }
}
