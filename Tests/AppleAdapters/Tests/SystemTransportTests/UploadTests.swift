import Foundation
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

@testable import SystemTransportOnLinux

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct UploadTests {
    /// Chunks that exceed every buffer of the system and the adapter.
    private static let chunks = (0..<8).map { [UInt8](repeating: 65 + $0, count: 40_000) }
    private static let text = String(decoding: chunks.joined(), as: UTF8.self)

    @Test(arguments: [nil, 320_000])
    func `a stream arrives byte for byte`(length: Int?) async throws {
        let sent = Mutex("")
        try await RawServer.run(
            answering: { connection in
                let text = try await connection.read(until: "\r\n0\r\n\r\n") ?? ""
                sent.withLock { $0 = text }
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            },
            use: { authority in
                let body = RequestBody.stream(length: length, contentType: "text/plain") { () async throws(LoadError) in
                    RequestBody.stream(Self.chunks)
                }
                let response = try await SystemTransport().send(.post("http://\(authority)/", body: body))
                #expect(try await response.body.collect(upTo: 2) == Array("hi".utf8))
            })
        let parts = sent.withLock { $0 }.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        try #require(parts.count == 2)
        #expect(values(of: "Content-Type", in: parts[0]) == ["text/plain"])
        let isWhole = unchunked(parts[1]) == Self.text
        #expect(isWhole)
    }

    /// The bytes of a chunked body (RFC 9112 §7.1).
    private func unchunked(_ body: String) -> String {
        var (rest, bytes) = (body[...], "")
        while let end = rest.firstRange(of: "\r\n"), let size = Int(rest[..<end.lowerBound], radix: 16), size > 0 {
            bytes += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size + 1)
        }
        return bytes
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: RequestBody
        let length: Int?
    }

    @Test(arguments: [
        Row(testDescription: "bytes", body: .bytes(Array(Self.text.utf8)), length: nil),
        Row(testDescription: "a stream", body: .stream { () async throws(LoadError) in RequestBody.stream(Self.chunks) }, length: nil),
        Row(testDescription: "no bytes", body: .empty, length: 0),
    ])
    func `case 26: a system that requests the body again gets it again, byte for byte`(row: Row) async throws {
        let delegate = try Delegate(row.body)
        for _ in 0..<3 {
            let stream = try #require(await delegate.newBodyStream())
            #expect(await stream.bytes() == (row.length == 0 ? [] : Array(Self.text.utf8)))
        }
        #expect(!delegate.hasEnded)
    }

    @Test func `case 26: provides a body that can be sent only once a single time, and then the request fails and says why`() async throws {
        let delegate = try Delegate(.once(Self.chunks))
        let stream = try #require(await delegate.newBodyStream())
        #expect(await stream.bytes() == Array(Self.text.utf8))
        #expect(await delegate.newBodyStream() == nil)
        #expect(delegate.hasEnded)
        guard case .failure(let error) = await delegate.exchange.head() else {
            Issue.record("there is a response")
            return
        }
        #expect(error.code == .bodySpent)
        #expect(error.explanation == "the request body can only be sent once and was already sent")
    }

    @Test func `does not send a body that was already sent`() async throws {
        let connections = Mutex(0)
        let body = RequestBody.once(Self.chunks)
        _ = try await body.open()
        let error = try await RawServer.run(
            answering: { _ in connections.withLock { $0 += 1 } },
            use: { authority in
                await failure { () async throws(LoadError) in
                    _ = try await SystemTransport().send(.post("http://\(authority)/", body: body))
                }
            })
        #expect(error?.code == .bodySpent)
        #expect(connections.withLock { $0 } == 0)
    }

    @Test(arguments: [100, 400_000])
    func `a stream of a different length than announced ends the request`(length: Int) async throws {
        let body = RequestBody.stream(length: length) { () async throws(LoadError) in RequestBody.stream(Self.chunks) }
        let error = try await RawServer.run(
            answering: { try await $0.waitForClose() },
            use: { authority in
                await failure { () async throws(LoadError) in
                    _ = try await SystemTransport().send(.post("http://\(authority)/", body: body))
                }
            })
        #expect(error?.code == .invalidRequest)
    }

    @Test func `a stream that fails ends the request with its own error`() async throws {
        let body = RequestBody.stream { () async throws(LoadError) in
            ByteStream { () async throws(LoadError) in throw LoadError(.notAuthorized, explanation: "for a test") }
        }
        let error = try await RawServer.run(
            answering: { try await $0.waitForClose() },
            use: { authority in
                await failure { () async throws(LoadError) in
                    _ = try await SystemTransport().send(.post("http://\(authority)/", body: body))
                }
            })
        #expect(error?.code == .notAuthorized)
    }
}

extension Exchange {
    /// Returns an exchange whose task is never started.
    static func unsent(body: RequestBody) throws -> Exchange {
        let request = try LoadRequest.post("http://127.0.0.1/", body: body)
        let session = URLSession(configuration: .ephemeral)
        return Exchange(request, task: session.uploadTask(withStreamedRequest: try URLRequest(request)))
    }
}

/// The transport's delegate, with a task that was never started. The test calls the delegate as URLSession would.
private struct Delegate {
    let exchange: Exchange
    private let exchanges = Exchanges()
    private let session = URLSession(configuration: .ephemeral)

    init(_ body: RequestBody) throws {
        exchange = try .unsent(body: body)
        exchanges.add(exchange)
    }

    var hasEnded: Bool {
        let hasEnded = Mutex(false)
        exchange.whenEnded { hasEnded.withLock { $0 = true } }
        return hasEnded.withLock { $0 }
    }

    func newBodyStream() async -> Reading? {
        await withCheckedContinuation { continuation in
            exchanges.urlSession(session, task: exchange.task) { stream in continuation.resume(returning: stream.map { Reading($0) }) }
        }
    }
}

/// Reads a stream on a separate thread, because reading blocks.
private final class Reading: @unchecked Sendable, Equatable {  // the stream is accessed on one queue only
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }

    static func == (one: Reading, other: Reading) -> Bool { one === other }

    func bytes() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "reading").async {
                self.stream.open()
                var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 5_000))
                while case let count = self.stream.read(&buffer, maxLength: buffer.count), count > 0 { bytes += buffer[..<count] }
                self.stream.close()
                continuation.resume(returning: bytes)
            }
        }
    }
}
