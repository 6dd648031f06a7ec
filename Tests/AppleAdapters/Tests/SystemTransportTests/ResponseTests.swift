import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

@testable import SystemTransportOnLinux

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ResponseTests {
    @Test func `a body's bytes are available as they arrive`() async throws {
        let read = Signal()
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
                await read.wait()
                try await connection.write("two")
            },
            use: { authority in
                var chunks = try await SystemTransport().send(.get("http://\(authority)/")).body.makeAsyncIterator()
                #expect(try await chunks.next() == Array("one".utf8)[...])
                read.fire()
                #expect(try await chunks.next() == Array("two".utf8)[...])
                #expect(try await chunks.next() == nil)
            })
    }

    // Checks what the adapter requests of the task, because FoundationNetworking does not do it.
    @Test(.timeLimit(.minutes(3))) func `suspends the task of a reader that does not read, which gets the whole body in order`()
        async throws
    {
        let exchange = try Exchange.unsent(body: .empty)
        for byte in 1...3 as ClosedRange<UInt8> { exchange.received([byte]) }
        #expect(exchange.task.taskDescription == "suspended ")
        for byte in 1...3 as ClosedRange<UInt8> { #expect(try await exchange.nextChunk() == [byte]) }
        #expect(exchange.task.taskDescription == "suspended ")
        let next = Task { try await exchange.nextChunk() }
        while exchange.task.taskDescription != "suspended resumed " { await Task.yield() }
        exchange.received([4])
        #expect(try await next.value == [4])
        exchange.received([5])
        exchange.end(with: nil)
        #expect(try await exchange.nextChunk() == [5])
        #expect(try await exchange.nextChunk() == nil)
        #expect(exchange.task.taskDescription == "suspended resumed suspended ")
    }

    @Test(.timeLimit(.minutes(3))) func `suspensions and resumptions alternate, and leave no reader waiting`()
        async throws
    {
        let exchange = try Exchange.unsent(body: .empty)
        let rounds = 10_000
        async let server: Void = Task.detached {
            for _ in 0..<rounds { exchange.received([1]) }
        }.value
        for _ in 0..<rounds { _ = try await exchange.nextChunk() }
        await server
        let next = Task { try await exchange.nextChunk() }
        while exchange.task.taskDescription?.hasSuffix("suspended ") == true { await Task.yield() }
        exchange.end(with: nil)
        #expect(try await next.value == nil)
        let asked = exchange.task.taskDescription?.split(separator: " ") ?? []
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `a body that the system decompresses has neither coding nor length`() async throws {
        let hello: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0]
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(hello.count)\r\n\r\n")
                try await connection.write(hello)
            },
            use: { authority in
                let response = try await SystemTransport().send(.get("http://\(authority)/"))
                #expect(response.head.headerFields[.contentEncoding] == nil)
                #expect(response.head.headerFields[.contentLength] == nil)
                #expect(response.body.announcedLength == nil)
                #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
            })
    }

    struct Bodiless: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPRequest.Method
        let head: String
    }

    @Test(arguments: [
        Bodiless(testDescription: "HEAD", method: .head, head: "200 OK\r\nContent-Length: 5"),
        Bodiless(testDescription: "204", method: .get, head: "204 No Content"),
        Bodiless(testDescription: "304", method: .get, head: "304 Not Modified\r\nETag: \"a\""),
        Bodiless(testDescription: "no bytes", method: .get, head: "200 OK\r\nContent-Length: 0"),
    ])
    func `a response without a body has none to read, and leaves its connection for the next request`(row: Bodiless) async throws {
        let connections = Mutex(0)
        let transport = SystemTransport()
        try await RawServer.run(
            answering: { connection in
                connections.withLock { $0 += 1 }
                while try await connection.readRequest() != nil { try await connection.write("HTTP/1.1 \(row.head)\r\n\r\n") }
            },
            use: { authority in
                for _ in 0..<2 {
                    let response = try await transport.send(LoadRequest(row.method, "http://\(authority)/"))
                    #expect(response.body.announcedLength == 0)
                    // The system notices the end only after the header section.
                    try await Task.sleep(for: .milliseconds(200))  // so that the connection is free
                }
            })
        #expect(connections.withLock { $0 } == 1)
    }
}
