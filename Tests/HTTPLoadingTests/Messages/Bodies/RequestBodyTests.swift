import HTTPLoading
import Synchronization
import Testing

struct RequestBodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let length: Int?
        let chunks: [[UInt8]]
        /// The expected error; nil if the length is correct.
        let explanation: String?
    }

    @Test(arguments: [
        Row(testDescription: "exact", length: 3, chunks: [[1], [], [2, 3]], explanation: nil),
        Row(testDescription: "unknown", length: nil, chunks: [[1], [2, 3]], explanation: nil),
        Row(testDescription: "nothing, as announced", length: 0, chunks: [], explanation: nil),
        Row(testDescription: "too short", length: 4, chunks: [[1], [2, 3]], explanation: "shorter than the 4 bytes that it declared"),
        Row(
            testDescription: "too long by a chunk", length: 1, chunks: [[1], [2]], explanation: "longer than the 1 bytes that it declared"),
        Row(
            testDescription: "too long within a chunk", length: 1, chunks: [[1, 2]], explanation: "longer than the 1 bytes that it declared"
        ),
        Row(
            testDescription: "some bytes if none were announced", length: 0, chunks: [[1]],
            explanation: "longer than the 0 bytes that it declared"),
        Row(testDescription: "an impossible length", length: .min, chunks: [], explanation: "declares a negative length"),
    ])
    func `a stream yields as many bytes as it announces, or throws`(row: Row) async throws {
        for body in [
            RequestBody.stream(length: row.length) { () throws(LoadError) in RequestBody.stream(row.chunks) },
            .once(row.chunks, length: row.length),
        ] {
            guard let explanation = row.explanation else {
                #expect(try await body.collected() == row.chunks.flatMap(\.self))
                continue
            }
            let error = await #expect(throws: LoadError.self) { try await body.collected() }
            #expect(error?.code == .invalidRequest)
            #expect(error?.explanation == "the request body \(explanation.hasPrefix("declares") ? "" : "is ")\(explanation)")
        }
    }

    @Test func `yields no byte beyond the announced length`() async throws {
        let body = RequestBody.stream(length: 3) { () throws(LoadError) in RequestBody.stream([[1, 2], [3, 4]]) }
        var stream = try await body.open().makeAsyncIterator()
        #expect(try await stream.next() == [1, 2])
        await #expect(throws: LoadError.self) { try await stream.next() }
    }

    @Test func `opens a body that can be sent only once a single time`() async throws {
        let body = RequestBody.once([[1], [2]])
        #expect(body.replay == .once)
        #expect(body.canBeSent)
        #expect(try await body.collected() == [1, 2])
        #expect(!body.canBeSent)
        let error = await #expect(throws: LoadError.self) { try await body.open() }
        #expect(error?.code == .bodySpent)
        #expect(error?.mayHaveBeenSent == false)
    }

    @Test func `creates a new stream each time the body is opened`() async throws {
        let openings = Mutex(0)
        let body = RequestBody.stream { () throws(LoadError) in
            openings.withLock { $0 += 1 }
            return .bytes([1, 2])
        }
        #expect(body.replay == .always)
        for _ in 1...2 { #expect(try await body.collected() == [1, 2]) }
        #expect(openings.withLock { $0 } == 2)
        #expect(body.canBeSent)
    }

    @Test func `sends any sequence of chunks, even an infinite one`() async throws {
        struct Counting: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var value: UInt8 = 0
            mutating func next() async -> ArraySlice<UInt8>? {
                value += 1
                return [value]
            }
            func makeAsyncIterator() -> Self { self }
        }
        var stream = ByteStream(Counting()).makeAsyncIterator()
        for expected in 1...3 { #expect(try await stream.next() == [UInt8(expected)]) }
    }

    @Test func `an error of a sequence says that the body could not be created, and keeps its cause`() async throws {
        struct Broken: Error {}
        func code(throwing thrown: any Error) async -> LoadError? {
            let stream = ByteStream(
                AsyncThrowingStream<ArraySlice<UInt8>, any Error> { continuation in
                    continuation.yield([1])
                    continuation.finish(throwing: thrown)
                })
            return await failure(of: { () throws(LoadError) in _ = try await stream.chunks() })
        }
        let broken = await code(throwing: Broken())
        #expect(broken?.code == .invalidRequest)
        #expect(broken?.underlying is Broken)
        #expect(await code(throwing: CancellationError())?.code == .cancelled)
        #expect(await code(throwing: LoadError(.tooLarge))?.code == .tooLarge)
    }
}
