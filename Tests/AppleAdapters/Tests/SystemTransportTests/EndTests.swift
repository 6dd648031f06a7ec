import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

@testable import SystemTransportOnLinux

@Suite(.timeLimit(.minutes(3))) struct EndTests {
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"

    @Test func `a server that never responds ends at the attempt's timeout`() async throws {
        let closed = Signal()
        let error = try await failure(within: .milliseconds(300), until: closed) { connection in
            try await connection.waitForClose()
            closed.fire()
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a body that never ends ends at the attempt's timeout`() async throws {
        let closed = Signal()
        let error = try await failure(within: .milliseconds(300), until: closed) { connection in
            _ = try await connection.readRequest()
            try await connection.write(Self.half)
            try await connection.waitForClose()
            closed.fire()
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [false, true])
    func `TX06: accepts a response that is there when the machine wakes after the timeout`(hasHead: Bool) async throws {
        let clock = TestClock()
        let (asked, awake) = (Signal(), Signal())
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                if hasHead { try await connection.write(Self.half) }
                asked.fire()
                await awake.wait()
                try await connection.write(hasHead ? "two" : Self.half + "two")
            },
            use: { authority in
                let transport = SystemTransport(clock: LoadClock(clock))
                let body = Task { try await transport.send(.get("http://\(authority)/")).body.collect(upTo: 100) }
                await asked.wait()
                await clock.untilAsleep()
                clock.advance(by: .seconds(125))
                // The grace period.
                await clock.untilAsleep()
                awake.fire()
                let read = await body.result
                #expect(throws: Never.self) { try read.get() }
                #expect((try? read.get()) == Array("onetwo".utf8))
            })
    }

    @Test func `TX06: a response that does not arrive after the machine woke times out`() async throws {
        let clock = TestClock()
        let (asked, closed) = (Signal(), Signal())
        async let sleeping: Void = {
            await asked.wait()
            await clock.untilAsleep()
            clock.advance(by: .seconds(125))
            await clock.untilAsleep()
            clock.advance(by: .seconds(10))
        }()
        let error = try await failure(of: SystemTransport(clock: LoadClock(clock)), until: closed) { connection in
            _ = try await connection.readRequest()
            asked.fire()
            try await connection.waitForClose()
            closed.fire()
        }
        await sleeping
        #expect(error?.code == .timedOut)
    }

    @Test func `a request that is cancelled beforehand sends nothing`() async throws {
        let connections = Mutex(0)
        let error = try await RawServer.run(
            answering: { _ in connections.withLock { $0 += 1 } },
            use: { authority in
                let request = try LoadRequest.get("http://\(authority)/")
                return await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await failure { () async throws(LoadError) in _ = try await SystemTransport().send(request) }
                }.value
            })
        #expect(error?.code == .cancelled)
        #expect(connections.withLock { $0 } == 0)
    }

    @Test(arguments: [false, true])
    func `cancelling while waiting closes the connection`(withHead: Bool) async throws {
        let (asked, read, closed) = (Signal(), Signal(), Signal())
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                if withHead { try await connection.write(Self.half) }
                asked.fire()
                try await connection.waitForClose()
                closed.fire()
            },
            use: { authority in
                let request = try LoadRequest.get("http://\(authority)/")
                let task = Task {
                    await failure { () async throws(LoadError) in
                        var chunks = try await SystemTransport().send(request).body.makeAsyncIterator()
                        _ = try await chunks.next()
                        read.fire()
                        _ = try await chunks.next()
                    }
                }
                await asked.wait()
                if withHead { await read.wait() }
                task.cancel()
                #expect(await task.value?.code == .cancelled)
                await closed.wait()
            })
    }

    @Test func `releasing a body closes its connection`() async throws {
        let closed = Signal()
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
                try await connection.waitForClose()
                closed.fire()
            },
            use: { authority in
                let status = try await SystemTransport().send(.get("http://\(authority)/")).head.status
                #expect(status == .ok)
                await closed.wait()
            })
    }

    @Test func `a refused connection means that the request was not sent`() async throws {
        let request = try LoadRequest.get("http://\(RawServer.unusedAuthority)/")
        let error = await failure { () async throws(LoadError) in _ = try await SystemTransport().send(request) }
        #expect(error?.code == .cannotConnect)
        #expect(error?.mayHaveBeenSent == false)
    }

    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let beginning: String
        let isReset: Bool
    }

    @Test(arguments: [
        Loss(testDescription: "closed before the header section", beginning: "", isReset: false),
        Loss(testDescription: "reset before the header section", beginning: "", isReset: true),
        // No row for a truncated header section: FoundationNetworking ends the whole program there.
        Loss(testDescription: "closed in the body", beginning: Self.half, isReset: false),
        Loss(testDescription: "reset in the body", beginning: Self.half, isReset: true),
        Loss(
            testDescription: "closed in a chunk", beginning: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\none",
            isReset: false),
    ])
    func `a connection that breaks is lost, and never a shorter body`(row: Loss) async throws {
        let error = try await failure { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.beginning)
            if row.isReset { try await connection.reset() }
        }
        #expect(error?.code == .connectionLost)
    }

    @Test func `shutting down ends requests in progress, and later ones fail`() async throws {
        let (transport, asked) = (SystemTransport(), Signal())
        let error = try await failure(of: transport) { connection in
            _ = try await connection.readRequest()
            asked.fire()
            await transport.shutdown()
            try await connection.waitForClose()
        }
        #expect(error?.code == .cancelled)
        let late = try await failure(of: transport) { _ in }
        #expect(late?.code == .cannotConnect)
        await transport.shutdown()
    }
}
