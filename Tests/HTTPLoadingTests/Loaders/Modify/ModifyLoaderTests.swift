import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct ModifyLoaderTests {
    @Test func `a change of the request reaches all loaders behind, and the request keeps its identity`() async throws {
        let transport = ScriptedTransport([.init(.get("https://example.com/b"), .status(.ok))])
        let chain = try Chain(
            transport: transport,
            [
                ModifyLoader(request: { request in
                    request.head.path = "/b"
                    request.head.headerFields[.accept] = "text/plain"
                    request.body = .bytes([1])
                })
            ])
        let request = try LoadRequest.get("https://example.com/a")
        let response = try await chain.load(request)
        #expect(response.request == request.id)
        let sent = try #require(transport.requests.first)
        #expect(sent.id == request.id && sent.head.headerFields[.accept] == "text/plain" && sent.body.bytes == [1])
    }

    @Test func `a change of the response reaches all loaders in front, with the request that was sent`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok, body: [1, 2]))])
        let chain = try Chain(
            transport: transport,
            [
                ModifyLoader(
                    request: { request in request.head.path = "/b" },
                    response: { response, request in
                        response.head.status = .accepted
                        response.head.headerFields[.server] = request.head.path
                        response.body = .bytes([3])
                    })
            ])
        let response = try await chain.load(.get("https://example.com/a"))
        #expect(response.status == .accepted && response.head.headerFields[.server] == "/b")
        #expect(try await response.body.collect(upTo: 10) == [3])
    }

    @Test func `rejects another request instead of the one given, and sends nothing`() async throws {
        let transport = ScriptedTransport([])
        let other = try LoadRequest.get("https://example.com/a")
        let chain = try Chain(transport: transport, [ModifyLoader(request: { request in request = other })])
        let request = try LoadRequest.get("https://example.com/a")
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.request == request.id)
        #expect(error?.explanation?.contains("request was replaced") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [false, true])
    func `rejects another response instead of the one given, and releases its body`(takesThatOfAnotherLoad: Bool) async throws {
        let ended = Signal()
        let streaming = ScriptedAnswer { _ throws(LoadError) in
            let body = ResponseBody { () async throws(LoadError) in [1] }
            body.whenEnded { ended.fire() }
            return LoadResponse(HTTPResponse(status: .ok), body: body)
        }
        let elsewhere = try await Chain(transport: RoutedTransport([(.any, .status(.ok))])).load(.get("https://example.com/a"))
        #expect(elsewhere.request != nil)
        let other = takesThatOfAnotherLoad ? elsewhere : LoadResponse(HTTPResponse(status: .ok))
        let chain = try Chain(
            transport: RoutedTransport([(.any, streaming)]), [ModifyLoader(response: { response, _ in response = other })])
        let request = try LoadRequest.get("https://example.com/a")
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == .invalidResponse)
        #expect(error?.request == request.id)
        #expect(error?.explanation?.contains("response was replaced") == true)
        await ended.wait()
    }

    @Test func `a change that throws ends the request: before it is sent, or instead of its response`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let before = try Chain(
            transport: transport, [ModifyLoader(request: { request throws(LoadError) in throw LoadError(.tooLarge, for: request) })])
        let after = try Chain(
            transport: transport, [ModifyLoader(response: { _, request throws(LoadError) in throw LoadError(.timedOut, for: request) })])
        let request = try LoadRequest.get("https://example.com/")
        #expect(await #expect(throws: LoadError.self) { try await before.load(request) }?.code == .tooLarge)
        #expect(transport.requests.isEmpty)
        #expect(await #expect(throws: LoadError.self) { try await after.load(request) }?.code == .timedOut)
        #expect(transport.requests.count == 1)
    }

    @Test func `does not change errors`() async throws {
        let calls = Mutex(0)
        let chain = try Chain(
            transport: RoutedTransport([(.any, .failure(.cannotConnect))]),
            [ModifyLoader(response: { _, _ in calls.withLock { $0 += 1 } })])
        let error = await #expect(throws: LoadError.self) { try await chain.load(.get("https://example.com/")) }
        #expect(error?.code == .cannotConnect)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func `adds missing header fields, including repeated ones`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try Chain(
            transport: transport,
            [ModifyLoader(addingMissing: [.userAgent: "default", .accept: "a/1", .acceptLanguage: "de", .acceptLanguage: "fr"])])
        _ = try await chain.load(.get("https://example.com/", headers: [.accept: "b/1", .accept: "b/2"]))
        let fields = try #require(transport.requests.first).head.headerFields
        #expect(fields[.userAgent] == "default")
        #expect(fields[values: .accept] == ["b/1", "b/2"])
        #expect(fields[values: .acceptLanguage] == ["de", "fr"])
    }

    @Test func `several can be in one chain, in their order, in front of all observers`() async throws {
        let append: @Sendable (String) -> ModifyLoader = { text in
            ModifyLoader(request: { request in request.head.path = (request.head.path ?? "") + text })
        }
        let transport = ScriptedTransport([.init(.get("https://example.com/12"), .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader(), append("1"), append("2"), MetricsLoader(), RedirectLoader()])
            .load(.get("https://example.com/"))
        try transport.verifyFinished()
        #expect(throws: ChainError.self) { try Chain(transport: transport, [MetricsLoader(), append("1")]) }
    }
}
