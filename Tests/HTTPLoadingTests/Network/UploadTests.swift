import AsyncHTTPClientTransport
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Request bodies on the wire, to servers that handle them well or badly.
@Suite(.timeLimit(.minutes(15)))
struct UploadTests {
    private let transport = NetworkTransport()

    @Test func `sends a stream of known length with its length`() async throws {
        let sent = try await sent(
            .stream(length: 5) { () throws(LoadError) in RequestBody.stream([Array("ab".utf8), [], Array("cde".utf8)]) })
        #expect(sent.head.contains("content-length: 5"))
        #expect(!sent.head.contains { $0.hasPrefix("transfer-encoding") })
        #expect(sent.body == "abcde")
    }

    @Test func `sends a stream of unknown length in chunks, and an empty chunk does not end it`() async throws {
        let chunks = [Array("ab".utf8), [], Array("cde".utf8)]
        let sent = try await sent(.stream { () throws(LoadError) in RequestBody.stream(chunks) }, until: "0\r\n\r\n")
        #expect(sent.head.contains("transfer-encoding: chunked"))
        #expect(!sent.head.contains { $0.hasPrefix("content-length") })
        #expect(sent.body == "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
    }

    @Test func `sends a file with its length`() async throws {
        let file = try TemporaryFile(Array("from a file".utf8))
        let sent = try await sent(.file(file.path, contentType: "text/plain"))
        #expect(sent.head.contains("content-length: 11"))
        #expect(sent.head.contains("content-type: text/plain"))
        #expect(sent.body == "from a file")
    }

    @Test func `sends a multipart body with its length and its boundary`() async throws {
        let file = try TemporaryFile(Array("from a file".utf8))
        let body = RequestBody.multipart([MultipartPart(named: "f", filename: "f.txt", body: try .file(file.path))])
        let sent = try await sent(body, until: "--\r\n")
        #expect(sent.head.contains("content-length: \(body.length ?? 0)"))
        #expect(sent.head.contains("content-type: multipart/form-data; boundary=\(try boundary(of: body).lowercased())"))
        #expect(Array(sent.body.utf8) == (try await body.collected()))
    }

    @Test func `sends only the request's own content type, even if the body has another`() async throws {
        let body = RequestBody.multipart([MultipartPart(body: .bytes(Array("x".utf8), contentType: "text/plain"))])
        let sent = try await sent(body, headers: [.contentType: "multipart/x-own; boundary=b"], until: "--\r\n")
        #expect(sent.head.filter { $0.hasPrefix("content-type") } == ["content-type: multipart/x-own; boundary=b"])
    }

    @Test(arguments: [RequestBody.empty, .bytes([])])
    func `a request without a body stays without one if its progress is reported`(body: RequestBody) async throws {
        let received = Mutex("")
        try await RawServer.run(
            answering: { connection in
                let text = try await connection.readRequest() ?? ""
                received.withLock { $0 = text.lowercased() }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                var request = try LoadRequest(.get, "http://\(authority)/", body: body)
                request.options[LoadProgress.self] = LoadProgress()
                _ = try await Chain(transport: transport).load(request)
            })
        #expect(!received.withLock { $0.contains("content-length") || $0.contains("transfer-encoding") })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let length: Int
        let explanation: String
    }

    @Test(arguments: [
        Row(testDescription: "too short", length: 6, explanation: "the request body is shorter than the 6 bytes that it declared"),
        Row(testDescription: "too long by a chunk", length: 2, explanation: "the request body is longer than the 2 bytes that it declared"),
        Row(
            testDescription: "too long within a chunk", length: 4,
            explanation: "the request body is longer than the 4 bytes that it declared"),
        Row(testDescription: "negative", length: -1, explanation: "the request body declares a negative length"),
    ])
    func `a body of a different length than announced never looks complete to the server`(row: Row) async throws {
        let complete = Mutex(false)
        try await RawServer.run(
            answering: { connection in
                guard let text = try await connection.read(until: "cde"), row.length > 2 else { return try await connection.waitForClose() }
                complete.withLock { $0 = text.hasSuffix("abcde") && row.length <= 5 }
                try await connection.waitForClose()
            },
            use: { authority in
                for once in [true, false] {
                    let body: RequestBody =
                        once
                        ? .once([Array("ab".utf8), Array("cde".utf8)], length: row.length)
                        : .stream(length: row.length) { () throws(LoadError) in RequestBody.stream([Array("ab".utf8), Array("cde".utf8)]) }
                    let request = try LoadRequest.post("http://\(authority)/", body: body)
                    let error = await #expect(throws: LoadError.self) { try await transport.send(request) }
                    #expect(error?.code == .invalidRequest)
                    #expect(error?.explanation == row.explanation)
                    #expect(error?.request == request.id)
                }
            })
        #expect(!complete.withLock { $0 })
    }

    @Test func `the caller gets the error of creating a body, and the connection closes`() async throws {
        struct Broken: Error {}
        let closed = Signal()
        try await RawServer.run(
            answering: { connection in
                try await connection.waitForClose()
                closed.fire()
            },
            use: { authority in
                let body = RequestBody.stream { () throws(LoadError) in
                    ByteStream(
                        AsyncThrowingStream<ArraySlice<UInt8>, any Error> { continuation in
                            continuation.yield([1])
                            continuation.finish(throwing: Broken())
                        })
                }
                let request = try LoadRequest.post("http://\(authority)/", body: body)
                let error = await #expect(throws: LoadError.self) { try await transport.send(request) }
                #expect(error?.code == .invalidRequest)
                #expect(error?.underlying is Broken)
                #expect(error?.request == request.id)
                await closed.wait()
            })
    }

    @Test func `case 25: sends a body that can be sent only once a single time, and then does not even connect`() async throws {
        let requests = Mutex(0)
        try await RawServer.run(
            answering: { connection in
                while try await connection.readRequest() != nil {
                    requests.withLock { $0 += 1 }
                    try await connection.write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
                }
            },
            use: { authority in
                let request = try LoadRequest.post("http://\(authority)/", body: .once([[1], [2]], length: 2))
                #expect(try await transport.send(request).status == .unauthorized)
                let error = await #expect(throws: LoadError.self) { try await transport.send(request) }
                #expect(error?.code == .bodySpent)
                #expect(error?.request == request.id)
            })
        #expect(requests.withLock { $0 } == 1)
    }

    @Test(arguments: [true, false])
    func `a server that responds early and closes ends the upload`(isLengthKnown: Bool) async throws {
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.read(until: "x")
                try await connection.write("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlong")
            },
            use: { authority in
                let body = EndlessBody(limit: 100_000)
                let request = try LoadRequest.post("http://\(authority)/", body: body.body(length: isLengthKnown ? .max : nil))
                do throws(LoadError) {
                    let response = try await transport.send(request)
                    #expect(response.status == .contentTooLarge)
                    #expect(try await response.body.collect(upTo: 4) == Array("long".utf8))
                } catch {
                    // If the system resets the connection first, the response is lost, too (RFC 9112 §9.6).
                    #expect(error.code == .connectionLost)
                }
                await body.released.wait()
                #expect(body.count < 100_000)
            })
    }

    @Test(arguments: [true, false])
    func `cancelling a request cancels its body, even while the body waits for its next chunk`(isCancelled: Bool) async throws {
        try await withLimitLongEnough { limit in
            try await RawServer.run(
                answering: { try await $0.waitForClose() },
                use: { authority in
                    let isAsked = Mutex(false)
                    let goesOn = Signal()
                    let givenUp = Signal()
                    let body = RequestBody.stream { () throws(LoadError) in
                        ByteStream { () async throws(LoadError) in
                            isAsked.withLock { $0 = true }
                            goesOn.fire()
                            // Wait until the task is cancelled.
                            await Signal().wait()
                            givenUp.fire()
                            throw LoadError(.cancelled)
                        }
                    }
                    var request = try LoadRequest.post("http://\(authority)/", body: body)
                    if !isCancelled { request.options[AttemptTimeout.self] = limit }
                    let sending = Task { [request] in
                        defer { goesOn.fire() }
                        return try await transport.send(request)
                    }
                    await goesOn.wait()
                    if isCancelled { sending.cancel() }
                    let error = await #expect(throws: LoadError.self) { try await sending.value }
                    #expect(error?.code == (isCancelled ? .cancelled : .timedOut))
                    guard isAsked.withLock({ $0 }) else { return false }
                    await givenUp.wait()
                    return true
                })
        }
    }

    @Test func `a server that reads nothing stops the generation of the body`() async throws {
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.read(until: "x")
                // The connection stays open, but is no longer read.
                await Signal().wait()
            },
            use: { authority in
                let body = EndlessBody(limit: 4_000)
                var request = try LoadRequest.post("http://\(authority)/", body: body.body(length: nil))
                request.options[AttemptTimeout.self] = .seconds(3)
                let error = await #expect(throws: LoadError.self) { try await transport.send(request) }
                #expect(error?.code == .timedOut)
                // One chunk of 64 KiB is ahead of the connection; the rest fills the sockets' buffers: 4 MiB to send by Linux's defaults,
                // up to 32 MiB to receive.
                #expect(body.count <= 640)
                await body.released.wait()
            })
    }

    @Test func `a server that resumes reading gets the whole body`() async throws {
        let mayRead = Signal()
        let received = Mutex(0)
        let length = 600 * EndlessBody.chunk.count
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.read(until: "x")
                await mayRead.wait()
                let count = try await connection.count(upTo: length - 1_000_000)
                received.withLock { $0 = count }
                try await connection.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                try await connection.waitForClose()
            },
            use: { authority in
                let body = EndlessBody(limit: 600) { if $0 == 5 { mayRead.fire() } }
                let response = try await transport.send(.post("http://\(authority)/", body: body.body(length: length)))
                #expect(response.status == .noContent)
                #expect(received.withLock { $0 } >= length - 1_000_000)
            })
    }

    /// Returns the bytes that the server receives for a body.
    private func sent(
        _ body: RequestBody, headers: HTTPFields = [:], until ending: String? = nil
    ) async throws -> (head: [String], body: String) {
        let received = Mutex("")
        try await RawServer.run(
            answering: { connection in
                let text = if let ending { try await connection.read(until: ending) } else { try await connection.readRequest() }
                received.withLock { $0 = text ?? "" }
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                let response = try await transport.send(.post("http://\(authority)/", headers: headers, body: body))
                #expect(response.status == .noContent)
            })
        let text = received.withLock { $0 }
        let blank = try #require(text.firstRange(of: "\r\n\r\n"))
        return (text[..<blank.lowerBound].lowercased().split(separator: "\r\n").map(String.init), String(text[blank.upperBound...]))
    }
}

/// A body that is longer than any test can send. It counts the bytes that are read.
private final class EndlessBody: Sendable {
    static let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)

    /// Fires when the body can no longer be read.
    let released = Signal()
    private let limit: Int
    private let made: @Sendable (Int) -> Void
    private let counter = Mutex(0)

    /// - Parameter limit: The maximum number of chunks, so that a failing test does not use up the memory.
    init(limit: Int, made: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.limit = limit
        self.made = made
    }

    var count: Int { counter.withLock { $0 } }

    func body(length: Int?) -> RequestBody {
        .stream(length: length) { () throws(LoadError) in
            let reader = Reader(self)
            return ByteStream { () throws(LoadError) in reader.next() }
        }
    }

    /// One iteration over the body. It is released with its stream.
    private final class Reader: Sendable {
        let body: EndlessBody

        init(_ body: EndlessBody) {
            self.body = body
        }

        deinit {
            body.released.fire()
        }

        func next() -> ArraySlice<UInt8>? {
            let count = body.counter.withLock { count in
                count += 1
                return count
            }
            body.made(count)
            return count > body.limit ? nil : EndlessBody.chunk[...]
        }
    }
}
