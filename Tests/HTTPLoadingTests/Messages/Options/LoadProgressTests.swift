import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// The progress of a request. The readers must never wait forever; the time limit would reveal that.
@Suite(.timeLimit(.minutes(15)))
struct LoadProgressTests {
    private typealias Step = LoadProgress.Step

    /// Returns a response that is sent after the request's body has been read to its end.
    private static func reading(_ answer: ScriptedAnswer) -> ScriptedAnswer {
        ScriptedAnswer { request async throws(LoadError) in
            var chunks = try await request.body.open().makeAsyncIterator()
            while try await chunks.next() != nil {}
            return try await ScriptedTransport([.init(.any, answer)]).send(request)
        }
    }

    private static func chain(_ answers: [ScriptedAnswer], _ loaders: [any Loader] = []) throws -> Chain {
        try Chain(transport: ScriptedTransport(answers.map { .init(.any, $0) }), loaders)
    }

    private static func request(_ body: RequestBody, _ progress: LoadProgress) throws -> LoadRequest {
        var request = try LoadRequest.post("https://example.com/", body: body)
        request.options[LoadProgress.self] = progress
        return request
    }

    private static let body = RequestBody.stream(length: 3) { () throws(LoadError) in RequestBody.stream([[1, 2], [3]]) }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var body = LoadProgressTests.body
        let answer: ScriptedAnswer
        /// The use of the response, if there is one.
        var use: @Sendable (ResponseBody) async throws -> Void = { _ in }
        let lastUpload: Int?
        let lastDownload: Int?
    }

    static let fourBytes = reading(.status(.ok, body: [1, 2, 3, 4]))

    @Test(arguments: [
        Row(
            testDescription: "read to the end", answer: fourBytes, use: { _ = try await $0.collect(upTo: 4) }, lastUpload: 3,
            lastDownload: 4),
        Row(testDescription: "no body in either direction", body: .empty, answer: .status(.noContent), lastUpload: nil, lastDownload: 0),
        Row(
            testDescription: "a body in memory", body: .bytes([1, 2]), answer: reading(.status(.noContent)), lastUpload: 2, lastDownload: 0),
        Row(
            testDescription: "an empty body in memory", body: .bytes([]), answer: .status(.ok), lastUpload: nil, lastDownload: 0),
        Row(testDescription: "response released", answer: fourBytes, lastUpload: 3, lastDownload: 0),
        Row(testDescription: "response cancelled", answer: fourBytes, use: { $0.cancel() }, lastUpload: 3, lastDownload: 0),
        Row(
            testDescription: "response too large", answer: fourBytes,
            use: { body in await #expect(throws: LoadError.self) { try await body.collect(upTo: 3) } }, lastUpload: 3, lastDownload: 0),
        Row(testDescription: "no response", answer: .failure(.connectionLost), lastUpload: nil, lastDownload: nil),
        Row(testDescription: "no response after the body", answer: reading(.failure(.connectionLost)), lastUpload: 3, lastDownload: nil),
        Row(
            testDescription: "a body that cannot be created",
            body: .stream(length: 3) { () throws(LoadError) in RequestBody.stream([[1, 2]]) }, answer: fourBytes, lastUpload: 2,
            lastDownload: nil),
        Row(
            testDescription: "a response that breaks off",
            answer: reading(
                ScriptedAnswer { _ throws(LoadError) in
                    let chunks = Mutex<[ArraySlice<UInt8>]>([[1, 2]])
                    return LoadResponse(
                        HTTPResponse(status: .ok),
                        body: ResponseBody { () async throws(LoadError) in
                            if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
                            throw LoadError(.connectionLost)
                        })
                }), use: { body in await #expect(throws: LoadError.self) { try await body.collect(upTo: 4) } }, lastUpload: 3,
            lastDownload: 2),
    ])
    func `the last step is never missed, and then the progress ends`(row: Row) async throws {
        let progress = LoadProgress()
        let request = try Self.request(row.body, progress)
        do {
            let response = try await Self.chain([row.answer]).load(request)
            try await row.use(response.body)
        } catch is LoadError {}
        // No steps have been read so far, so only the last one is still buffered.
        #expect(await last(of: progress.uploads)?.bytes == row.lastUpload)
        #expect(await last(of: progress.downloads)?.bytes == row.lastDownload)
    }

    private struct Repeating: Loader {
        let count: Int
        func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
            for attempt in 1..<count { _ = try? await next.attempting(attempt)(request) }
            return try await next.attempting(count)(request)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `reports each chunk to a reader that keeps up, from zero on, and again for each attempt`(attempts: Int) async throws {
        let progress = LoadProgress()
        let steps = Mutex<[Step?]>([])
        let answer = ScriptedAnswer { request async throws(LoadError) in
            var chunks = try await request.body.open().makeAsyncIterator()
            var isEnded = false
            while !isEnded {
                let step = await progress.uploads.first { _ in true }
                steps.withLock { $0.append(step) }
                isEnded = step?.bytes == 3
                _ = try await chunks.next()
            }
            return LoadResponse(HTTPResponse(status: .serviceUnavailable))
        }
        let chain = try Self.chain(Array(repeating: answer, count: attempts), [Repeating(count: attempts)])
        _ = try await chain.load(Self.request(Self.body, progress))
        let expected = Array(repeating: [0, 2, 3].map { Step(bytes: $0, expected: 3) }, count: attempts).flatMap(\.self)
        #expect(steps.withLock { $0 } == expected)
        #expect(await last(of: progress.uploads) == nil)
    }

    @Test func `an abandoned attempt reports nothing any more`() async throws {
        let progress = LoadProgress()
        let first = Mutex<ByteStream?>(nil)
        let chain = try Self.chain(
            [
                ScriptedAnswer { request async throws(LoadError) in
                    let stream = try await request.body.open()
                    first.withLock { $0 = stream }
                    throw LoadError(.timedOut)
                },
                Self.reading(
                    ScriptedAnswer { _ async throws(LoadError) in
                        // The connection of the first attempt still accepts bytes.
                        var late = first.withLock { $0 }?.makeAsyncIterator()
                        _ = try await late?.next()
                        return LoadResponse(HTTPResponse(status: .ok))
                    }),
            ], [Repeating(count: 2)])
        _ = try await chain.load(Self.request(Self.body, progress))
        #expect(await last(of: progress.uploads) == Step(bytes: 3, expected: 3))
    }

    @Test func `reports a body that is still being sent when its response arrives to its end`() async throws {
        let progress = LoadProgress()
        let stream = Mutex<ByteStream?>(nil)
        let chain = try Self.chain([
            ScriptedAnswer { request async throws(LoadError) in
                let opened = try await request.body.open()
                stream.withLock { $0 = opened }
                return LoadResponse(HTTPResponse(status: .ok), body: ResponseBody { () async throws(LoadError) in [1] })
            }
        ])
        let response = try await chain.load(Self.request(Self.body, progress))
        let chunks = try await stream.withLock { $0 }?.chunks()
        #expect(chunks == [[1, 2], [3]])
        #expect(await last(of: progress.uploads) == Step(bytes: 3, expected: 3))
        response.body.cancel()
        #expect(await last(of: progress.downloads) == Step(bytes: 0, expected: nil))
    }

    @Test func `a cancelled request ends both`() async throws {
        let progress = LoadProgress()
        let asked = Signal()
        let chain = try Self.chain([
            ScriptedAnswer { request async throws(LoadError) in
                asked.fire()
                while !Task.isCancelled { await Task.yield() }
                throw LoadError(.cancelled, for: request)
            }
        ])
        let request = try Self.request(Self.body, progress)
        let loading = Task { try await chain.load(request) }
        await asked.wait()
        loading.cancel()
        await #expect(throws: LoadError.self) { try await loading.value }
        #expect(await last(of: progress.uploads) == nil)
        #expect(await last(of: progress.downloads) == nil)
    }

    @Test func `a request for which no attempt was made ends both`() async throws {
        let progress = LoadProgress()
        let chain = try Self.chain([])
        await chain.shutdown()
        await #expect(throws: LoadError.self) { try await chain.load(Self.request(Self.body, progress)) }
        #expect(await last(of: progress.uploads) == nil)
        #expect(await last(of: progress.downloads) == nil)
    }

    private func last(of steps: AsyncStream<Step>) async -> Step? {
        var last: Step?
        for await step in steps { last = step }
        return last
    }

    @Test func `a body that is cut off while it is not read ends the progress`() async throws {
        let progress = LoadProgress()
        let chain = try Self.chain([HangingBody().answer])
        let response = try await chain.load(Self.request(.empty, progress))
        #expect(await chain.reset().cancelledLoads == 1)
        for await _ in progress.downloads {}
        await #expect(throws: LoadError.self) { try await response.body.collect(upTo: 1) }
    }
}
