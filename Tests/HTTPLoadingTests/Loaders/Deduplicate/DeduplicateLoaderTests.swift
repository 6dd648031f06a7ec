import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(2)))
struct DeduplicateLoaderTests {
    private static func get(_ url: String = "https://example.com/", headers: HTTPFields = [:]) throws -> LoadRequest {
        try .get(url, headers: headers)
    }

    /// Tasks that all load the same, once all of them wait.
    private static func begin(_ count: Int, on chain: Chain, _ loader: DeduplicateLoader) async throws
        -> [Task<Result<[UInt8], LoadError>, Never>]
    {
        var loads: [Task<Result<[UInt8], LoadError>, Never>] = []
        for _ in 0..<count {
            let before = loader.callerCount
            loads.append(chain.begin(try get()))
            await until { loader.callerCount > before }
        }
        return loads
    }

    private static let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// A body in pieces of 1,000 bytes.
    private static func pieces(of bytes: [UInt8], announced: Bool) -> ResponseBody {
        let rest = Rest(bytes)
        return ResponseBody(announcedLength: announced ? bytes.count : nil) { () async throws(LoadError) in rest.take() }
    }

    private final class Rest: Sendable {
        private let bytes: Mutex<ArraySlice<UInt8>>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes[...]) }

        func take() -> ArraySlice<UInt8>? {
            bytes.withLock { bytes in
                guard !bytes.isEmpty else { return nil }
                defer { bytes = bytes.dropFirst(1_000) }
                return bytes.prefix(1_000)
            }
        }
    }

    @Test func `200 loads of the same are sent once, and each gets the answer byte for byte under its own name`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .notFound, headerFields: [.server: "one"]), body: Self.pieces(of: Self.large, announced: false))
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let requests = try (0..<200).map { _ in try Self.get() }
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
            #expect(try await response.body.collect(upTo: 1 << 20) == Self.large)
        }
        #expect(sharers == 199)
        #expect(transport.requests.count == 1)
        #expect(loader.loadCount == 0)
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        var second = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        var body = RequestBody.empty
        var firstKey = DeduplicationKey.derived
        var secondKey = DeduplicationKey.derived
        var secrets = ("a", "a")
        let isShared: Bool
    }

    /// An option that makes a request another one.
    private enum Secret: RequestOption {
        static var defaultValue: String { "" }
        static func identity(of value: String) -> (any Hashable & Sendable)? { value }
    }

    private static func head(
        _ method: HTTPRequest.Method = .get, authority: String = "example.com", path: String = "/", fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: authority, path: path, headerFields: fields)
    }

    @Test(arguments: [
        Pair(testDescription: "the same", isShared: true),
        Pair(testDescription: "another query", second: head(path: "/?a"), isShared: false),
        Pair(testDescription: "another host", second: head(authority: "other.example"), isShared: false),
        Pair(testDescription: "another method", second: head(.head), isShared: false),
        Pair(testDescription: "HEAD", first: head(.head), second: head(.head), isShared: true),
        Pair(testDescription: "another header field", second: head(fields: [.accept: "text/plain"]), isShared: false),
        Pair(
            testDescription: "another value", first: head(fields: [.accept: "*/*"]), second: head(fields: [.accept: "text/plain"]),
            isShared: false),
        Pair(testDescription: "the same options that matter", secrets: ("b", "b"), isShared: true),
        Pair(testDescription: "other options that matter", secrets: ("a", "b"), isShared: false),
        Pair(testDescription: "an unsafe method", first: head(.post), second: head(.post), isShared: false),
        Pair(testDescription: "a body", body: .bytes([1]), isShared: false),
        Pair(testDescription: "one that wants to be alone", secondKey: .never, isShared: false),
        Pair(
            testDescription: "the same named key for other paths and fields", first: head(path: "/a"),
            second: head(path: "/b", fields: [.accept: "a/b"]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: true),
        Pair(
            testDescription: "the same named key for unsafe methods", first: head(.put), second: head(.put), body: .bytes([1]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: true),
        Pair(testDescription: "another named key", firstKey: .explicit("k"), secondKey: .explicit("l"), isShared: false),
        Pair(
            testDescription: "the same named key at another origin", second: head(authority: "other.example"),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with other credentials", first: head(fields: [.authorization: "a"]),
            second: head(fields: [.authorization: "b"]), firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with other cookies", first: head(fields: [.cookie: "a=1"]),
            second: head(fields: [.cookie: "a=2"]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with other options that matter", firstKey: .explicit("k"), secondKey: .explicit("k"),
            secrets: ("a", "b"), isShared: false),
    ])
    func `loads share one where what they ask for, and who asks, is the same`(pair: Pair) async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        var requests = [LoadRequest(pair.first, body: pair.body), LoadRequest(pair.second, body: pair.body)]
        requests[0].options[DeduplicationKey.self] = pair.firstKey
        requests[1].options[DeduplicationKey.self] = pair.secondKey
        requests[0].options[Secret.self] = pair.secrets.0
        requests[1].options[Secret.self] = pair.secrets.1
        let first = chain.begin(requests[0])
        await transport.untilSent(1)
        let second = chain.begin(requests[1])
        if pair.isShared { await until { loader.callerCount == 2 } } else { await transport.untilSent(2) }
        transport.release(2)
        #expect(try await first.value.get() == Array("held".utf8))
        #expect(try await second.value.get() == Array("held".utf8))
        #expect(transport.requests.count == (pair.isShared ? 1 : 2))
        #expect(loader.loadCount == 0)
    }

    @Test func `a key shows nothing of the request`() throws {
        let keys = Mutex<[SharingKey]>([])
        var request = try Self.get("https://example.com/canary", headers: [.authorization: "canary"])
        request.options[Secret.self] = "canary"
        let next = Next(chain: try Chain(transport: RoutedTransport([])), epoch: Epoch())
        for key in [SharingKey(request, next: next)].compactMap({ $0 }) { keys.withLock { $0.append(key) } }
        #expect(keys.withLock { $0.count } == 1)
        #expect(!dumped(keys.withLock { $0 }).contains("canary"))
    }

    @Test func `a load that is alone gets its body as it comes, and who comes later begins anew`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            // Never ends: to collect it would be to wait for ever.
            LoadResponse(HTTPResponse(status: .ok), body: ResponseBody { () async throws(LoadError) in [1, 2, 3] })
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loading = Task { try await chain.load(Self.get()) }
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
    func `of a body that is too long, the first gets the whole stream, and each of the others loads by itself`(row: Long) async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .ok, headerFields: [.contentType: row.contentType]),
                body: Self.pieces(of: Self.large, announced: row.announced))
        }
        let loader = DeduplicateLoader(bodyLimit: row.limit)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(5, on: chain, loader)
        transport.release()
        await transport.untilSent(5)
        transport.release(4)
        for load in loads { #expect(try await load.value.get() == Self.large) }
        #expect(transport.requests.count == 5)
        #expect(Set(transport.requests.map(\.id)).count == 5)
        #expect(loader.loadCount == 0)
    }

    @Test func `a body of just the limit is shared`() async throws {
        let transport = HoldingTransport { _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: .ok), body: Self.pieces(of: Self.large, announced: false))
        }
        let loader = DeduplicateLoader(bodyLimit: Self.large.count)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(3, on: chain, loader)
        transport.release()
        for load in loads { #expect(try await load.value.get() == Self.large) }
        #expect(transport.requests.count == 1)
    }

    @Test func `case 30: cancelling the first leaves the others alone`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(10, on: chain, loader)
        await transport.untilSent(1)
        loads[0].cancel()
        #expect(await loads[0].value.code == .cancelled)
        #expect(loader.callerCount == 9)
        transport.release()
        for load in loads.dropFirst() { #expect(try await load.value.get() == Array("held".utf8)) }
        #expect(transport.requests.count == 1)
        #expect(transport.cancelled == 0)
    }

    @Test func `case 31: a cancelled joiner leaves at once, and the last to leave ends the load`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(10, on: chain, loader)
        await transport.untilSent(1)
        for (index, load) in loads.enumerated().reversed() {
            load.cancel()
            #expect(await load.value.code == .cancelled)
            #expect(loader.callerCount == index)
        }
        #expect(loader.loadCount == 0)
        await until { transport.running == 0 }
        #expect(transport.cancelled == 1)
        let again = chain.begin(try Self.get())
        await transport.untilSent(2)
        transport.release()
        #expect(await again.value.code == nil)
    }

    @Test func `case 31: a load that fails before it is sent ends for all, each under its own name, and leaves nothing behind`()
        async throws
    {
        struct Failing: Loader {
            let isOpen: Signal
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                await isOpen.wait()
                throw LoadError(.notAuthorized, for: request, explanation: "nobody is signed in")
            }
        }
        let isOpen = Signal()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: ScriptedTransport([]), [loader, Failing(isOpen: isOpen)])
        let requests = try (0..<20).map { _ in try Self.get() }
        let loads = requests.map { chain.begin($0) }
        await until { loader.callerCount == 20 }
        isOpen.fire()
        for (request, load) in zip(requests, loads) {
            guard case .failure(let error) = await load.value else {
                Issue.record("a load that was never sent came to something")
                continue
            }
            #expect(error.code == .notAuthorized)
            #expect(error.request == request.id)
            #expect(error.origin?.host == "example.com")
        }
        #expect(loader.loadCount == 0)
    }

    @Test func `case 31: a cancellation that races with the answer settles everybody once, and leaves nothing behind`() async throws {
        let transport = RoutedTransport([
            (
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    await Task.yield()
                    return LoadResponse(HTTPResponse(status: .ok), body: .bytes([1]))
                }
            )
        ])
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        var generator = SeededGenerator(seed: 3)
        var outcomes: [LoadError.Code?: Int] = [:]
        for _ in 0..<1_500 {
            let loads = try (0..<3).map { _ in chain.begin(try Self.get()) }
            for _ in 0..<Int.random(in: 0..<4, using: &generator) { await Task.yield() }
            loads[Int.random(in: 0..<3, using: &generator)].cancel()
            for load in loads { outcomes[await load.value.code, default: 0] += 1 }
            guard loader.loadCount == 0 else {
                Issue.record("a load stayed behind")
                return
            }
        }
        #expect(Set(outcomes.keys).isSubset(of: [nil, .cancelled]))
        #expect(outcomes[nil, default: 0] >= 3_000)
    }

    @Test func `a body that breaks off ends in an error for all who wait`() async throws {
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
        let loads = try await Self.begin(4, on: chain, loader)
        transport.release()
        for load in loads { #expect(await load.value.code == .connectionLost) }
        #expect(loader.loadCount == 0)
    }

    @Test func `who leaves last while the body is being read ends the body`() async throws {
        let hasEnded = Signal()
        let isReading = Signal()
        let transport = HoldingTransport { _ throws(LoadError) in
            let waiter = Waiter<Void>()
            let body = ResponseBody(cancel: { waiter.settle(()) }) { () async throws(LoadError) in
                isReading.fire()
                await waiter.wait(orIfCancelled: ())
                return nil
            }
            body.whenEnded { hasEnded.fire() }
            return LoadResponse(HTTPResponse(status: .ok), body: body)
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(2, on: chain, loader)
        transport.release()
        await isReading.wait()
        for load in loads {
            load.cancel()
            #expect(await load.value.code == .cancelled)
        }
        await hasEnded.wait()
        #expect(loader.loadCount == 0)
    }

    @Test func `each is bound to its own time, and the shared load to nobody's`() async throws {
        let clock = TestClock()
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [DeadlineLoader(.seconds(100)), loader])
        var hurried = try Self.get()
        hurried.options[Deadline.self] = .seconds(5)
        let first = chain.begin(hurried)
        await transport.untilSent(1)
        let second = chain.begin(try Self.get())
        await until { loader.callerCount == 2 }
        await clock.untilAsleep()
        clock.advance(by: .seconds(5))
        #expect(await first.value.code == .timedOut)
        #expect(loader.callerCount == 1)
        transport.release()
        #expect(try await second.value.get() == Array("held".utf8))
        #expect(transport.cancelled == 0)
    }

    @Test func `no more than the limit share one load`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader(callerLimit: 2)
        let chain = try Chain(transport: transport, [loader])
        let loads = try await Self.begin(2, on: chain, loader)
        let third = chain.begin(try Self.get())
        await transport.untilSent(2)
        #expect(loader.callerCount == 2)
        transport.release(2)
        for load in loads + [third] { #expect(await load.value.code == nil) }
    }

    @Test func `a reset ends what is shared, and a load that comes after gets nothing from before`() async throws {
        let answers = Mutex(0)
        let transport = HoldingTransport(isStubborn: true) { _ throws(LoadError) in
            let number = answers.withLock { answers in
                answers += 1
                return answers
            }
            return LoadResponse(HTTPResponse(status: .ok), body: .bytes([UInt8(number)]))
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let old = try await Self.begin(10, on: chain, loader)
        await transport.untilSent(1)
        let report = await chain.reset()
        #expect(report.failures.isEmpty)
        for load in old { #expect(await load.value.code == .cancelled) }
        #expect(loader.loadCount == 0)
        let new = try await Self.begin(2, on: chain, loader)
        await transport.untilSent(2)
        // The stubborn one of before comes first, and concerns nobody.
        transport.release()
        await until { transport.running == 1 }
        #expect(loader.callerCount == 2)
        transport.release()
        for load in new { #expect(try await load.value.get() == [2]) }
        #expect(loader.loadCount == 0)
    }

    @Test func `chains that have one loader in common share no load`() async throws {
        let loader = DeduplicateLoader()
        let transports = [HoldingTransport(), HoldingTransport()]
        let loads = try transports.map { try Chain(transport: $0, [loader]).begin(Self.get()) }
        for transport in transports {
            await transport.untilSent(1)
            transport.release()
        }
        for load in loads { #expect(await load.value.code == nil) }
    }
}
