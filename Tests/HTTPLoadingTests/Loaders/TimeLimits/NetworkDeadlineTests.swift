import AsyncHTTPClientTransport
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Retries and timeouts over sockets.
struct NetworkDeadlineTests {
    @Test(
        .timeLimit(.minutes(15)),
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func `closes the connection of a request that times out, with or without a response`(answer: String) async throws {
        let clock = TestClock()
        let answered = Signal(), closed = Signal()
        try await RawServer.run(
            answering: { connection in
                defer { closed.fire() }
                _ = try await connection.readRequest()
                try await connection.write(answer)
                answered.fire()
                try await connection.waitForClose()
            },
            use: { authority in
                let chain = try Chain(
                    transport: NetworkTransport(), clock: LoadClock(clock), [DeadlineLoader(.seconds(3)), RetryLoader()])
                let task = Task {
                    // The body is not read, and the response stays in memory.
                    let response = try await chain.load(.get("http://\(authority)/"))
                    await closed.wait()
                    _ = try await response.body.collect(upTo: 10)
                }
                await answered.wait()
                clock.advance(by: .seconds(3))
                let error = await #expect(throws: LoadError.self) { try await task.value }
                #expect(error?.code == .timedOut)
                await closed.wait()
            })
    }

    @Test func `a request over broken connections succeeds with the bytes that it was given`() async throws {
        let requests = Mutex<[String]>([])
        let body = try await RawServer.run(
            answering: { connection in
                let request = try await connection.readRequest() ?? ""
                let count = requests.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                guard count == 3 else { return try await connection.reset() }
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            },
            use: { authority in
                let chain = try Chain(transport: NetworkTransport(), [RetryLoader(RetryPolicy(backoff: .immediate))])
                let request = try LoadRequest(.put, "http://\(authority)/", body: .bytes(Array("bytes".utf8)))
                return try await chain.load(request).body.collect(upTo: 10)
            })
        #expect(body == Array("ok".utf8))
        let bodies = requests.withLock { $0.map { $0.hasSuffix("\r\n\r\nbytes") } }
        #expect(bodies == [true, true, true])
    }
}
