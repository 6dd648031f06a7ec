import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct DecompressionTests {
    @Test func `requests compression only if it decompresses responses`() async throws {
        let sent = try await exchange(with: .gzip(upTo: 100)).sent
        #expect(acceptEncodings(in: sent) == ["Accept-Encoding: gzip"])
        let plainly = try await exchange(with: .off).sent
        #expect(acceptEncodings(in: plainly).isEmpty)
    }

    @Test func `keeps a request's own Accept-Encoding, and requests a range uncompressed`() async throws {
        let own = try await exchange(with: .gzip(upTo: 100), fields: [.acceptEncoding: "identity;q=0.5"]).sent
        #expect(acceptEncodings(in: own) == ["Accept-Encoding: identity;q=0.5"])
        let range = try await exchange(with: .gzip(upTo: 100), fields: [.range: "bytes=0-9"]).sent
        #expect(acceptEncodings(in: range) == ["Accept-Encoding: identity"])
    }

    @Test(arguments: [NetworkTransport.Decompression.gzip(upTo: 18), .gzip(ratio: 10), .gzip(ratio: 10, upTo: 18)])
    func `decompresses a body, and its response has no coding and no length`(
        decompression: NetworkTransport.Decompression
    ) async throws {
        let (response, body, _) = try await exchange(with: decompression)
        #expect(body == Array("hello hello hello ".utf8))
        #expect(response.head.headerFields[.contentEncoding] == nil)
        #expect(response.head.headerFields[.contentLength] == nil)
        #expect(response.body.announcedLength == nil)
        #expect(response.head.headerFields[.vary] == "Accept-Encoding")
    }

    @Test func `a body that is not compressed keeps its length`() async throws {
        let (response, body, _) = try await exchange(
            with: .gzip(upTo: 100), answering: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8))
        #expect(body == Array("hi".utf8))
        #expect(response.head.headerFields[.contentLength] == "2")
        #expect(response.body.announcedLength == 2)
    }

    @Test func `a response without a body keeps the fields that describe a body`() async throws {
        let (response, body, _) = try await exchange(
            .head, with: .gzip(upTo: 100), answering: Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 28\r\n\r\n".utf8))
        #expect(body.isEmpty)
        #expect(response.head.headerFields[.contentEncoding] == "gzip")
        #expect(response.head.headerFields[.contentLength] == "28")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decompression: NetworkTransport.Decompression
        let length: Int
        var coding = "gzip"
        var isDamaged = false
        let code: LoadError.Code
    }

    @Test(arguments: [
        Row(testDescription: "one byte more than the size limit", decompression: .gzip(upTo: 17), length: 28, code: .tooLarge),
        Row(
            testDescription: "one byte more than the size limit, with a ratio", decompression: .gzip(ratio: 10, upTo: 17), length: 28,
            code: .tooLarge),
        Row(testDescription: "cut off", decompression: .gzip(upTo: 100), length: 15, code: .connectionLost),
        Row(
            testDescription: "TX07 compressed twice", decompression: .gzip(upTo: 100), length: 28, coding: "gzip, br",
            code: .invalidResponse),
        Row(testDescription: "TX07 damaged", decompression: .gzip(upTo: 100), length: 28, isDamaged: true, code: .invalidResponse),
    ])
    func `a body that is too large or damaged ends with an error, and never looks complete`(row: Row) async throws {
        var body = Array(GzipBomb.threeHellos.prefix(row.length))
        // A block of the reserved type (RFC 1951 §3.2.3).
        if row.isDamaged { body[10] = 0xFF }
        let answer = Self.answer(body, coding: row.coding)
        let error = await #expect(throws: LoadError.self) { try await exchange(with: row.decompression, answering: answer) }
        #expect(error?.code == row.code)
        #expect(error?.explanation != nil)
    }

    @Test(arguments: [NetworkTransport.Decompression.gzip(upTo: 10_000_000), .gzip(ratio: 100), .gzip(ratio: 2_000, upTo: 10_000_000)])
    func `TR22: a megabyte of gzip that expands to a gigabyte ends at the limit`(decompression: NetworkTransport.Decompression) async throws
    {
        var configuration = NetworkTransport.Configuration()
        configuration.decompression = decompression
        let transport = try NetworkTransport(configuration: configuration)
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipBomb.length)\r\n\r\n")
                try await connection.write(GzipBomb.header)
                for _ in 0..<GzipBomb.blocks { try await connection.write(GzipBomb.block) }
                try await connection.waitForClose()
            },
            use: { authority in
                let received = Mutex(0)
                let error = await #expect(throws: LoadError.self) {
                    for try await chunk in try await transport.send(.get("http://\(authority)/")).body {
                        received.withLock { $0 += chunk.count }
                    }
                }
                #expect(error?.code == .tooLarge)
                #expect(error?.explanation?.contains("decompressed body") == true)
                #expect(received.withLock { $0 } <= 10_000_000)
            })
    }

    private func acceptEncodings(in sent: String) -> [Substring] {
        sent.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("accept-encoding") }
    }

    private static func answer(_ body: [UInt8], coding: String = "gzip") -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nVary: Accept-Encoding\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private func exchange(
        _ method: HTTPRequest.Method = .get, with decompression: NetworkTransport.Decompression, fields: HTTPFields = [:],
        answering answer: [UInt8] = answer(GzipBomb.threeHellos)
    ) async throws -> (response: LoadResponse, body: [UInt8], sent: String) {
        var configuration = NetworkTransport.Configuration()
        configuration.decompression = decompression
        let transport = try NetworkTransport(configuration: configuration)
        let received = Mutex("")
        return try await RawServer.run(
            answering: { connection in
                let text = try await connection.readRequest() ?? ""
                received.withLock { $0 = text }
                try await connection.write(answer)
            },
            use: { authority in
                let response = try await transport.send(LoadRequest(method, "http://\(authority)/", headers: fields))
                return (response, try await response.body.collect(upTo: 1_000), received.withLock { $0 })
            })
    }
}
