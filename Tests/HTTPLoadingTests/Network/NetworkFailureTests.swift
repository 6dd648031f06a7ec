import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Testing

/// Failures on the network, and the error that the caller gets.
struct NetworkFailureTests {
    private let transport: NetworkTransport

    init() throws {
        var configuration = NetworkTransport.Configuration()
        configuration.connectTimeout = .seconds(120)  // the machine is busy with other tests
        transport = try NetworkTransport(configuration: configuration)
    }

    @Test func `reports a refused connection at once, as unsent`() async throws {
        let authority = RawServer.unusedAuthority
        let error = await #expect(throws: LoadError.self) {
            try await transport.send(.get("http://\(authority)/path?access_token=canary"))
        }
        #expect(error?.code == .cannotConnect)
        #expect(error?.mayHaveBeenSent == false)
        #expect(error?.origin == Origin(scheme: "http", authority: authority))
        #expect(!dumped(error).contains("canary"))
    }

    @Test func `reports a name that does not resolve as no connection`() async throws {
        let error = await #expect(throws: LoadError.self) { try await transport.send(.get("http://nowhere.invalid/")) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func `a server that does not speak TLS is not secure`() async throws {
        let error = try await failure(
            scheme: "https",
            answering: { connection in
                try await connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
                try await connection.waitForClose()
            })
        #expect(error?.code == .notSecure)
        #expect(error?.mayHaveBeenSent == false)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: String
    }

    @Test(arguments: [
        Row(testDescription: "closed without a response", answer: ""),
        Row(testDescription: "closed within the header section", answer: "HTTP/1.1 200 OK\r\nX-A: "),
        Row(testDescription: "closed within a body of known length", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
        Row(testDescription: "closed within a chunked body", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
        Row(testDescription: "closed within the size of a chunk", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4"),
        Row(testDescription: "closed within the status line", answer: "HTTP/1.1 20"),
    ])
    func `a response that is cut off is a lost connection, and never a short body`(row: Row) async throws {
        let error = try await failure(answering: { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.answer)
        })
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveBeenSent == true)
    }

    @Test(arguments: [
        Row(testDescription: "TX07 not HTTP", answer: "220 mail.example ESMTP\r\n\r\n"),
        Row(testDescription: "TX07 a page without a head", answer: "<html>login</html>\r\n\r\n"),
        Row(testDescription: "TX07 a status that is no number", answer: "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 a version that is no number", answer: "HTTP/one 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 a status below 100", answer: "HTTP/1.1 99 Odd\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 a field without a name", answer: "HTTP/1.1 200 OK\r\n: value\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 a space in the name of a field", answer: "HTTP/1.1 200 OK\r\nX A: b\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 NUL in a field", answer: "HTTP/1.1 200 OK\r\nX-A: b\0c\r\nContent-Length: 0\r\n\r\n"),
        Row(testDescription: "TX07 a chunk without a size", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n"),
        Row(
            testDescription: "TX07 a second chunk without a size",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n-1\r\nhalf\r\n"),
        Row(
            testDescription: "TX07 a chunk that is longer than its size",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhalf\r\n0\r\n\r\n"),
        Row(
            testDescription: "TX07 two Content-Length fields",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhalf"),
        Row(testDescription: "TX07 a Content-Length that is no number", answer: "HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\nhalf"),
        Row(testDescription: "TX07 a negative Content-Length", answer: "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nhalf"),
    ])
    func `a response that is not valid HTTP is the server's fault`(row: Row) async throws {
        let error = try await failure(answering: { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.answer)
            try await connection.waitForClose()
        })
        #expect(error?.code == .invalidResponse, "\(error as Any)")
        #expect(error?.mayHaveBeenSent == true)
    }

    @Test func `a reset within the body is a lost connection`() async throws {
        let error = try await failure(answering: { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            try await connection.reset()
        })
        #expect(error?.code == .connectionLost)
    }

    @Test func `a server that never responds runs into the deadline`() async throws {
        let error = try await failure(within: .milliseconds(100), answering: { try await $0.waitForClose() })
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenSent == true)
    }

    @Test func `TX02: a slow body runs into the deadline of its request`() async throws {
        try await withLimitLongEnough { limit in
            try await RawServer.run(
                answering: { connection in
                    _ = try await connection.readRequest()
                    try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                    while true {
                        try await connection.write("x")
                        try await Task.sleep(for: .milliseconds(10))  // the drip
                    }
                },
                use: { authority in
                    guard let response = try await answer(of: authority, within: limit) else { return false }
                    let error = await #expect(throws: LoadError.self) { try await response.body.collect(upTo: 1_000_000) }
                    #expect(error?.code == .timedOut)
                    return true
                })
        }
    }

    @Test func `a response that arrives at the deadline has timed out, or fails with a timeout when it is read`() async throws {
        // All requests end at about the same time, so that some responses are handled together with their deadlines.
        let limit = Duration.milliseconds(200)
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await Task.sleep(for: limit - .milliseconds(10))  // until the deadlines are near
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 10_000))
                try await connection.waitForClose()
            },
            use: { authority in
                var request = try LoadRequest.get("http://\(authority)/")
                request.options[AttemptTimeout.self] = limit
                await withTaskGroup { group in
                    for _ in 0..<500 {
                        group.addTask { [request] in
                            let error = await #expect(throws: LoadError.self) {
                                _ = try await transport.send(request).body.collect(upTo: 1_000_000)
                            }
                            #expect(error?.code == .timedOut)
                        }
                    }
                }
            })
    }

    @Test func `releases a body that is not read at the deadline, and later reads report it`() async throws {
        try await withLimitLongEnough { limit in
            try await withAnswerWithoutEnd { authority, closed in
                guard let response = try await answer(of: authority, within: limit) else { return false }
                await closed.wait()
                let error = await #expect(throws: LoadError.self) { try await response.body.collect(upTo: 100) }
                #expect(error?.code == .timedOut)
                return true
            }
        }
    }

    @Test func `releasing a body closes its connection`() async throws {
        try await withAnswerWithoutEnd { authority, closed in
            _ = try await transport.send(.get("http://\(authority)/"))
            await closed.wait()
        }
    }

    @Test func `TX05: a cancelled reader gets no more bytes, and the connection closes`() async throws {
        try await withAnswerWithoutEnd { authority, closed in
            let begun = Signal()
            let reading = Task { () async throws -> Void in
                for try await _ in try await transport.send(.get("http://\(authority)/")).body { begun.fire() }
            }
            await begun.wait()
            reading.cancel()
            let error = await #expect(throws: LoadError.self) { try await reading.value }
            #expect(error?.code == .cancelled)
            await closed.wait()
        }
    }

    @Test func `a cancelled request ends before its response`() async throws {
        let asked = Signal()
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                asked.fire()
                try await connection.waitForClose()
            },
            use: { authority in
                let sending = Task { try await transport.send(.get("http://\(authority)/")) }
                await asked.wait()
                sending.cancel()
                let error = await #expect(throws: LoadError.self) { try await sending.value }
                #expect(error?.code == .cancelled)
            })
    }

    @Test func `a body larger than its reader allows ends, and its connection closes`() async throws {
        try await withAnswerWithoutEnd { authority, closed in
            let error = await #expect(throws: LoadError.self) {
                try await transport.send(.get("http://\(authority)/")).body.collect(upTo: 100_000)
            }
            #expect(error?.code == .tooLarge)
            await closed.wait()
        }
    }

    /// Returns the error of a GET request whose whole body is read; nil if there was none.
    private func failure(
        scheme: String = "http",
        within deadline: Duration = .seconds(120),
        answering answer: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws -> LoadError? {
        try await RawServer.run(
            answering: answer,
            use: { authority in
                var request = try LoadRequest.get("\(scheme)://\(authority)/path?token=canary")
                request.options[AttemptTimeout.self] = deadline
                let error = await #expect(throws: LoadError.self) {
                    _ = try await transport.send(request).body.collect(upTo: 10_000_000)
                }
                #expect(error?.request == request.id)
                #expect(!dumped(error).contains("canary"))
                return error
            })
    }

    /// Returns the response to a GET request whose body must arrive within the limit, too; nil if not even the header section arrived in
    /// time.
    private func answer(of authority: String, within limit: Duration) async throws -> LoadResponse? {
        var request = try LoadRequest.get("http://\(authority)/")
        request.options[AttemptTimeout.self] = limit
        do {
            return try await transport.send(request)
        } catch {
            guard error.code == .timedOut else { throw error }
            return nil
        }
    }

    /// Runs a server that writes an endless body. The signal fires when the server cannot write any more.
    private func withAnswerWithoutEnd<Value: Sendable>(
        _ use: @Sendable (_ authority: String, _ closed: Signal) async throws -> Value
    ) async throws -> Value {
        let closed = Signal()
        return try await RawServer.run(
            answering: { connection in
                defer { closed.fire() }
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
                while true { try await connection.write(String(repeating: "x", count: 10_000)) }
            }, use: { try await use($0, closed) })
    }
}
