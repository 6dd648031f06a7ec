import AuthHubTesting
import HTTPTypes
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct DeduplicateLoaderTests {
    @Test func `sends 200 identical requests once, and each gets the response byte for byte with its own request`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .notFound, headerFields: [.server: "one"]),
                body: SharedLoads.pieces(of: SharedLoads.large, announced: false))
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let requests = try (0..<200).map { _ in try SharedLoads.get() }
        let loads = requests.map { request in Task { try await chain.load(request) } }
        await until { loader.callerCount == 200 }
        transport.release()
        var sharers = 0
        for (request, load) in zip(requests, loads) {
            let response = try await load.value
            #expect(response.request == request.id)
            #expect(response.status == .notFound)
            #expect(response.head.headerFields[.server] == "one")
            if let id = response.notes.sharedFrom {
                sharers += 1
                #expect(id == transport.requests.first?.id)
                #expect(id != request.id)
            }
            #expect(try await response.body.collect(upTo: 1 << 20) == SharedLoads.large)
        }
        #expect(sharers == 199)
        #expect(transport.requests.count == 1)
        #expect(loader.loadCount == 0)
    }

    @Test func `coalesces no more requests than the limit`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader(callerLimit: 2)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(2, on: chain, loader)
        let third = chain.begin(try SharedLoads.get())
        await transport.untilSent(2)
        #expect(loader.callerCount == 2)
        transport.release(2)
        for load in loads + [third] { #expect(await load.value.code == nil) }
    }

    @Test func `chains that share only a loader do not coalesce their requests`() async throws {
        let loader = DeduplicateLoader()
        let transports = [HoldingTransport(), HoldingTransport()]
        let loads = try transports.map { try Chain(transport: $0, [loader]).begin(SharedLoads.get()) }
        for transport in transports {
            await transport.untilSent(1)
            transport.release()
        }
        for load in loads { #expect(await load.value.code == nil) }
    }

    @Test func `each request has its own deadline, and the coalesced request has none`() async throws {
        let clock = TestClock()
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [DeadlineLoader(.seconds(100)), loader])
        var hurried = try SharedLoads.get()
        hurried.options[Deadline.self] = .seconds(5)
        let first = chain.begin(hurried)
        await transport.untilSent(1)
        let second = chain.begin(try SharedLoads.get())
        await until { loader.callerCount == 2 }
        await clock.untilAsleep()
        clock.advance(by: .seconds(5))
        #expect(await first.value.code == .timedOut)
        #expect(loader.callerCount == 1)
        transport.release()
        #expect(try await second.value.get() == Array("held".utf8))
        #expect(transport.cancelled == 0)
    }
}
