import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Malicious or broken servers. Each request ends at a limit, and its error names the limit.
@Suite(.serialized)
struct BadServerTests {
    private let transport = NetworkTransport()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let beginning: String
        /// The text that the server writes repeatedly.
        let filler: String
    }

    @Test(arguments: [
        Row(testDescription: "TX03 256 fields", beginning: "HTTP/1.1 200 OK\r\n", filler: "X-Filler: x\r\n"),
        Row(
            testDescription: "TX03 80 KiB in a field", beginning: "HTTP/1.1 200 OK\r\nX-Filler: ",
            filler: String(repeating: "x", count: 1_000)),
        Row(
            testDescription: "TX03 80 KiB in the name of a field", beginning: "HTTP/1.1 200 OK\r\n",
            filler: String(repeating: "x", count: 1_000)
        ),
        Row(
            testDescription: "TX03 1 MiB in total", beginning: "HTTP/1.1 200 OK\r\n",
            filler: "X-Filler: \(String(repeating: "x", count: 70_000))\r\n"),
        Row(testDescription: "1 MiB of reason phrase", beginning: "HTTP/1.1 200 ", filler: String(repeating: "x", count: 1_000)),
        Row(testDescription: "1 MiB of empty lines", beginning: "", filler: String(repeating: "\r\n", count: 500)),
        Row(
            testDescription: "1 MiB of chunk extension", beginning: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=",
            filler: String(repeating: "x", count: 1_000)),
        Row(
            testDescription: "256 trailer fields after a chunked body",
            beginning: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", filler: "X-Filler: x\r\n"),
    ])
    func `cuts off an endless header section at its limit`(row: Row) async throws {
        let written = Mutex(0)
        let error = try await failure { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.beginning)
            try await connection.flood(row.filler) { count in written.withLock { $0 += count } }
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.explanation?.contains("256 header fields") == true)
        // The buffers contain more bytes than the client accepts, but not many more.
        #expect(written.withLock { $0 } < 32_000_000)
    }

    @Test(arguments: [
        Row(testDescription: "TX03 interim responses", beginning: "", filler: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        Row(
            testDescription: "TX02 chunks of one byte", beginning: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            filler: "1\r\nx\r\n"),
    ])
    func `a response that never ends and fills no memory ends at the timeout`(row: Row) async throws {
        let error = try await failure(within: .seconds(1)) { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.beginning)
            while true {
                try await connection.write(String(repeating: row.filler, count: 100))
                try await Task.sleep(for: .milliseconds(10))  // leaves the machine to the other tests
            }
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [
        Row(testDescription: "TX02 the header section", beginning: "HTTP/1.1 200 OK\r\n", filler: "x"),
        Row(testDescription: "TX02 the body", beginning: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", filler: "x"),
    ])
    func `a response that sends one byte a second ends at the timeout`(row: Row) async throws {
        let error = try await failure(within: .seconds(3)) { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.beginning)
            while true {
                try await connection.write(row.filler)
                try await Task.sleep(for: .seconds(1))  // the drip
            }
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: ["000", "020", "099"])
    func `an invalid status ends the connection`(status: String) async throws {
        let error = try await failure { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 \(status) OK\r\nContent-Length: 0\r\n\r\n")
            try await connection.waitForClose()
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func `cuts off endless garbage`() async throws {
        let error = try await failure { connection in
            _ = try await connection.readRequest()
            try await connection.flood("\u{0}\u{1F}\u{7F}\u{E9}\u{2028}")
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func `a Content-Length that is too short ends the body there, and the rest is not the response to a later request`() async throws
    {
        let connections = Mutex(0)
        try await RawServer.run(
            answering: { connection in
                let number = connections.withLock { count in
                    count += 1
                    return count
                }
                while try await connection.readRequest() != nil {
                    try await connection.write(
                        number == 1
                            ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalfHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                            : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
                }
            },
            use: { authority in
                // The extra bytes may break the connection during the first or the second response, but must never count as a response.
                var answers: [[UInt8]] = []
                for _ in 0..<10 where answers.last != Array("good".utf8) {
                    do {
                        answers.append(try await transport.send(.get("http://\(authority)/")).body.collect(upTo: 100))
                    } catch let error as LoadError {
                        #expect(error.code == .connectionLost)
                    }
                }
                #expect(answers.last == Array("good".utf8))
                #expect(!answers.contains(Array("evil".utf8)))
            })
    }

    @Test func `does not generate a body much faster than the server reads it`() async throws {
        let made = Mutex(0)
        let body = RequestBody.stream(length: 100_000_000) { () async throws(LoadError) in
            ByteStream { () async throws(LoadError) in
                made.withLock { $0 += 50_000 }
                return Array(repeating: 0, count: 50_000)[...]
            }
        }
        try await RawServer.run(
            answering: { _ in await Signal().wait() },  // reads nothing until the test ends
            use: { authority in
                var request = try LoadRequest.post("http://\(authority)/", body: body)
                request.options[AttemptTimeout.self] = .seconds(2)
                let error = await #expect(throws: LoadError.self) { try await transport.send(request) }
                #expect(error?.code == .timedOut)
            })
        #expect(made.withLock { $0 } < 30_000_000)
    }

    @Test(arguments: [1_048_576, nil])
    func `case 34: follows a redirect with a megabyte of body, or an endless one`(length: Int?) async throws {
        let closed = Signal()
        let chain = try Chain(transport: transport) { RedirectLoader() }
        try await RawServer.run(
            answering: { connection in
                guard try await connection.readRequest()?.hasPrefix("GET /there") == false else {
                    return try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere")
                }
                defer { closed.fire() }
                let framing = length.map { "Content-Length: \($0)" } ?? "Content-Type: text/plain"
                try await connection.write("HTTP/1.1 302 Found\r\nLocation: /there\r\n\(framing)\r\n\r\n")
                guard let length else { return try await connection.flood("x") }
                try await connection.write(String(repeating: "x", count: length))
                try await connection.waitForClose()
            },
            use: { authority in
                let response = try await chain.load(.get("http://\(authority)/"))
                #expect(try await response.body.collect(upTo: 100) == Array("there".utf8))
                await closed.wait()
            })
    }

    @Test func `case 34: a request that is cancelled on the second hop closes the connection`() async throws {
        let (asked, closed) = (Signal(), Signal())
        let chain = try Chain(transport: transport) { RedirectLoader() }
        try await RawServer.run(
            answering: { connection in
                while let text = try await connection.readRequest() {
                    if text.hasPrefix("GET /there") {
                        asked.fire()
                        try await connection.waitForClose()
                        closed.fire()
                    } else {
                        try await connection.write("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
                    }
                }
            },
            use: { authority in
                let loading = Task { try await chain.load(.get("http://\(authority)/")) }
                await asked.wait()
                loading.cancel()
                let error = await #expect(throws: LoadError.self) { try await loading.value }
                #expect(error?.code == .cancelled)
                await closed.wait()
            })
    }

    /// Returns the error of a GET request whose whole body is read.
    private func failure(
        within limit: Duration = .seconds(120), answering answer: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws -> LoadError? {
        try await RawServer.run(
            answering: answer,
            use: { authority in
                var request = try LoadRequest.get("http://\(authority)/path?token=canary")
                request.options[AttemptTimeout.self] = limit
                let error = await #expect(throws: LoadError.self) {
                    _ = try await transport.send(request).body.collect(upTo: 10_000_000)
                }
                #expect(!dumped(error).contains("canary"))
                return error
            })
    }
}
