import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct ChainTests {
    private struct Recorder: Loader {
        let name: String
        let record: @Sendable (String) -> Void

        func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
            record("\(name) in")
            let response = try await next(request)
            record("\(name) out")
            return response
        }
    }

    @Test func `a request passes through the loaders in order, and its response in reverse order`() async throws {
        let events = Mutex<[String]>([])
        let record: @Sendable (String) -> Void = { event in events.withLock { $0.append(event) } }
        let transport = ScriptedTransport([
            .init(
                .get("/"),
                ScriptedAnswer { _ throws(LoadError) in
                    record("transport")
                    return LoadResponse(HTTPResponse(status: .ok))
                })
        ])
        let chain = try Chain(transport: transport, [Recorder(name: "a", record: record), Recorder(name: "b", record: record)])
        #expect(try await chain.load(.get("https://example.com/")).status == .ok)
        #expect(events.withLock { $0 } == ["a in", "b in", "transport", "b out", "a out"])
        try transport.verifyFinished()
    }

    @Test func `a loader may load several times, and each attempt passes through all loaders behind it`() async throws {
        struct Twice: Loader {
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let events = Mutex<[String]>([])
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.created))])
        let chain = try Chain(
            transport: transport, [Twice(), Recorder(name: "b") { event in events.withLock { $0.append(event) } }])
        let request = try LoadRequest.get("https://example.com/")
        #expect(try await chain.load(request).status == .created)
        #expect(events.withLock { $0 } == ["b in", "b out", "b in", "b out"])
        #expect(transport.requests.map(\.id) == [request.id, request.id])
    }

    @Test func `a request that is cancelled beforehand does not reach the transport`() async throws {
        let transport = ScriptedTransport([])
        let loading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Chain(transport: transport).load(.get("https://example.com/"))
        }
        loading.cancel()
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["", "example.com", "ftp://example.com/", "https://user@example.com/", "https://example.com/a b", "//example.com/"])
    func `creates a request from only a URL or a path`(url: String) {
        let error = #expect(throws: LoadError.self) { try LoadRequest.get(url) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation?.isEmpty == false)
    }
}
