import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct SharedBodyTests {
    @Test func `a single request streams its body, and a later one starts again`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            // This body never ends, so it could never be read into memory.
            LoadResponse(HTTPResponse(status: .ok), body: ResponseBody { () async throws(LoadError) in [1, 2, 3] })
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loading = Task { try await chain.load(SharedLoads.get()) }
        await transport.untilSent(1)
        transport.release()
        let response = try await loading.value
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2, 3])
        #expect(response.notes.sharedFrom == nil)
        #expect(loader.loadCount == 0)
        response.body.cancel()
    }

    struct Long: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let announced: Bool
        var contentType = "text/plain"
        var limit = 10_500
    }

    @Test(arguments: [
        Long(testDescription: "of unknown length", announced: false),
        Long(testDescription: "of known length", announced: true),
        Long(
            testDescription: "a stream of events, however short", announced: false, contentType: "Text/Event-Stream; charset=utf-8",
            limit: 1 << 30),
    ])
    func `if a body is too long, the first request gets the whole stream, and each of the others is sent separately`(row: Long) async throws
    {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .ok, headerFields: [.contentType: row.contentType]),
                body: SharedLoads.pieces(of: SharedLoads.large, announced: row.announced))
        }
        let loader = DeduplicateLoader(bodyLimit: row.limit)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(5, on: chain, loader)
        transport.release()
        await transport.untilSent(5)
        transport.release(4)
        for load in loads { #expect(try await load.value.get() == SharedLoads.large) }
        #expect(transport.requests.count == 5)
        #expect(Set(transport.requests.map(\.id)).count == 5)
        #expect(loader.loadCount == 0)
    }

    @Test func `coalesces a body of exactly the limit`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: .ok), body: SharedLoads.pieces(of: SharedLoads.large, announced: false))
        }
        let loader = DeduplicateLoader(bodyLimit: SharedLoads.large.count)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(3, on: chain, loader)
        transport.release()
        for load in loads { #expect(try await load.value.get() == SharedLoads.large) }
        #expect(transport.requests.count == 1)
    }

    @Test func `a body that breaks off is an error for all waiting requests`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            let isFirst = OneShot(true)
            return LoadResponse(
                HTTPResponse(status: .ok),
                body: ResponseBody { () async throws(LoadError) in
                    guard isFirst.take() == nil else { return [1] }
                    throw LoadError(.connectionLost)
                })
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(4, on: chain, loader)
        transport.release()
        for load in loads { #expect(await load.value.code == .connectionLost) }
        #expect(loader.loadCount == 0)
    }
}
