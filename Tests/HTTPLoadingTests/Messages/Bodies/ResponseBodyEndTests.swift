@testable import HTTPLoading
import Synchronization
import Testing

/// Tests when bodies end, and who is notified.
@Suite(.timeLimit(.minutes(15)))
struct ResponseBodyEndTests {
    /// The source of a body's bytes, and the notifications that it received.
    private final class Source: Sendable {
        private let chunks: Mutex<ArraySlice<Result<ArraySlice<UInt8>, LoadError>>>
        private let cancellations = Mutex(0)
        private let ends = Mutex(0)

        init(_ chunks: [Result<ArraySlice<UInt8>, LoadError>]) {
            self.chunks = Mutex(chunks[...])
        }

        var cancelCount: Int { cancellations.withLock { $0 } }
        var endCount: Int { ends.withLock { $0 } }

        func body(announcedLength: Int? = nil) -> ResponseBody {
            let body = ResponseBody(
                announcedLength: announcedLength, cancel: { self.cancellations.withLock { $0 += 1 } },
                next: { () async throws(LoadError) in try self.chunks.withLock { $0.popFirst() }?.get() })
            body.whenEnded { self.ends.withLock { $0 += 1 } }
            return body
        }
    }

    private static let twoChunks: [Result<ArraySlice<UInt8>, LoadError>] = [.success([1]), .success([2])]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var chunks = twoChunks
        let isSourceCancelled: Bool
        let use: @Sendable (ResponseBody) async throws -> Void
    }

    static let rows: [Row] = [
        Row(testDescription: "read to the end", isSourceCancelled: false) { body in
            let bytes = try await body.collect(upTo: 2)
            #expect(bytes == [1, 2])
            #expect(await body.makeAsyncIterator().failure?.code == .invalidRequest)
        },
        Row(testDescription: "failed", chunks: [.success([1]), .failure(LoadError(.connectionLost))], isSourceCancelled: false) { body in
            let error = await failure(of: { () async throws(LoadError) in _ = try await body.collect(upTo: 2) })
            #expect(error?.code == .connectionLost)
        },
        Row(testDescription: "cancelled unread", isSourceCancelled: true) { body in
            body.cancel()
            body.cancel()
            #expect(await body.makeAsyncIterator().failure?.code == .cancelled)
        },
        Row(testDescription: "cancelled in the middle", isSourceCancelled: true) { body in
            var iterator = body.makeAsyncIterator()
            let chunk = try await iterator.next()
            #expect(chunk == [1])
            body.cancel()
            #expect(await iterator.failure?.code == .cancelled)
            #expect(await iterator.failure?.code == .cancelled)
        },
        Row(testDescription: "released unread", isSourceCancelled: true) { _ in },
        Row(testDescription: "released in the middle", isSourceCancelled: true) { body in
            for try await _ in body { break }
        },
        Row(testDescription: "larger than its reader allows", isSourceCancelled: true) { body in
            let error = await failure(of: { () async throws(LoadError) in _ = try await body.collect(upTo: 1) })
            #expect(error?.code == .tooLarge)
        },
        Row(testDescription: "drained", isSourceCancelled: false) { body in await body.drain() },
    ]

    @Test(arguments: rows)
    func `notifies each waiting caller of the end once`(row: Row) async throws {
        let source = Source(row.chunks)
        try await row.use(source.body())
        #expect(source.endCount == 1)
        #expect(source.cancelCount == (row.isSourceCancelled ? 1 : 0))
    }

    @Test(arguments: rows)
    func `a body and the body that it wraps end together`(row: Row) async throws {
        let source = Source(row.chunks)
        let ends = Mutex(0)
        func wrapped() -> ResponseBody {
            let body = source.body().wrapped { read async throws(LoadError) in try await read() }
            body.whenEnded { ends.withLock { $0 += 1 } }
            return body
        }
        try await row.use(wrapped())
        #expect(ends.withLock { $0 } == 1)
        #expect(source.endCount == 1)
        #expect(source.cancelCount == (row.isSourceCancelled ? 1 : 0))
    }

    @Test func `notifies callers that arrive after the end at once`() async throws {
        for body in [ResponseBody.empty, .bytes([]), .bytes([1]), Source([]).body(announcedLength: 0)] {
            _ = try await body.collect(upTo: 1)
            let isTold = Mutex(false)
            body.whenEnded { isTold.withLock { $0 = true } }
            #expect(isTold.withLock { $0 })
        }
    }

    @Test func `a body of length zero has ended from the start, and never calls its source`() async throws {
        let source = Source([.failure(LoadError(.connectionLost))])
        let body = source.body(announcedLength: 0)
        #expect(source.endCount == 1)
        #expect(try await body.collect(upTo: 0) == [])
        body.cancel()
        #expect(source.cancelCount == 0)
    }

    @Test func `a cancelled body wakes its reader, and discards late bytes`() async throws {
        let asked = Signal()
        let cancelled = Signal()
        let body = ResponseBody(cancel: { cancelled.fire() }) { () async throws(LoadError) in
            asked.fire()
            await cancelled.wait()
            return [1]
        }
        let reading = Task { try await body.collect(upTo: 10) }
        await asked.wait()
        body.cancel()
        let error = await #expect(throws: LoadError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `calls no handlers while the body is locked`() async throws {
        // Each of these actions uses the body again, which would deadlock if they ran under the lock.
        let source = Source(Self.twoChunks)
        let told = Mutex(0)
        let body = source.body()
        let outer = ResponseBody(cancel: { [weak body] in body?.cancel() }) { () async throws(LoadError) in nil }
        outer.whenEnded { [weak outer] in outer?.whenEnded { told.withLock { $0 += 1 } } }
        outer.cancel()
        #expect(told.withLock { $0 } == 1)
        #expect(source.cancelCount == 1)
    }
}

/// Tests bodies that replace other bodies.
struct ResponseBodyWrappingTests {
    @Test func `a wrapped body has the chunks and the length of its wrapper`() async throws {
        let body = ResponseBody.bytes([1, 2]).wrapped(announcedLength: .some(nil)) { read async throws(LoadError) in
            try await read().map { $0 + [9] }
        }
        #expect(body.announcedLength == nil)
        #expect(try await body.collect(upTo: 3) == [1, 2, 9])
        #expect(ResponseBody.bytes([1, 2]).wrapped { read async throws(LoadError) in try await read() }.announcedLength == 2)
    }

    @Test func `a wrapped body counts as read, and a body that was read cannot be wrapped`() async throws {
        let body = ResponseBody.bytes([1])
        let wrapped = body.wrapped { read async throws(LoadError) in try await read() }
        await #expect(throws: LoadError.self) { try await body.collect(upTo: 1) }
        #expect(try await wrapped.collect(upTo: 1) == [1])
        let again = body.wrapped { read async throws(LoadError) in try await read() }
        let error = await #expect(throws: LoadError.self) { try await again.collect(upTo: 1) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `a body whose wrapper fails releases the body that it wraps`() async {
        let ended = Mutex(false)
        func wrapped() -> ResponseBody {
            let inner = ResponseBody { () async throws(LoadError) in [1] }
            inner.whenEnded { ended.withLock { $0 = true } }
            return inner.wrapped { _ throws(LoadError) in throw LoadError(.invalidResponse) }
        }
        let body = wrapped()
        let error = await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(error?.code == .invalidResponse)
        #expect(ended.withLock { $0 })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chunks: [[UInt8]]
        var fails = false
        /// Whether the original body has ended when it is detached.
        let isTakenOff: Bool
    }

    @Test(arguments: [
        Row(testDescription: "nothing", chunks: [], isTakenOff: true),
        Row(testDescription: "short", chunks: [[1], [2, 3]], isTakenOff: true),
        Row(testDescription: "of the maximum length", chunks: [Array(repeating: 7, count: 65_536)], isTakenOff: true),
        Row(testDescription: "longer", chunks: Array(repeating: Array(repeating: 7, count: 40_000), count: 4), isTakenOff: false),
        Row(testDescription: "failing at once", chunks: [], fails: true, isTakenOff: true),
        Row(testDescription: "failing soon", chunks: [[1], [2]], fails: true, isTakenOff: true),
        Row(
            testDescription: "failing late", chunks: Array(repeating: Array(repeating: 7, count: 40_000), count: 4), fails: true,
            isTakenOff: false),
    ])
    func `a detached body reads as before`(row: Row) async throws {
        let chunks = Mutex(row.chunks[...])
        let body = ResponseBody { () async throws(LoadError) in
            if let chunk = chunks.withLock({ $0.popFirst() }) { return chunk[...] }
            if row.fails { throw LoadError(.connectionLost) }
            return nil
        }
        let ended = Mutex(false)
        body.whenEnded { ended.withLock { $0 = true } }
        let detached = await body.detached()
        #expect(ended.withLock { $0 } == row.isTakenOff)
        var received: [[UInt8]] = []
        var failure: LoadError?
        do throws(LoadError) {
            for try await chunk in detached { received.append(Array(chunk)) }
        } catch {
            failure = error
        }
        #expect(received == row.chunks)
        #expect(failure?.code == (row.fails ? .connectionLost : nil))
        #expect(ended.withLock { $0 })
    }

    @Test func `cancelling or releasing a detached body discards the rest`() async {
        for isCancelled in [true, false] {
            let ended = Mutex(false)
            func detached() async -> ResponseBody {
                let body = ResponseBody { () async throws(LoadError) in ArraySlice(repeating: 7, count: 40_000) }
                body.whenEnded { ended.withLock { $0 = true } }
                return await body.detached()
            }
            let body = await detached()
            #expect(!ended.withLock { $0 })
            if isCancelled { body.cancel() } else { _ = consume body }
            #expect(ended.withLock { $0 })
        }
    }

    @Test func `a body that was started is not detached from its reader`() async throws {
        let body = ResponseBody { () async throws(LoadError) in [1] }
        var iterator = body.makeAsyncIterator()
        _ = try await iterator.next()
        let detached = await body.detached()
        #expect(detached === body)
    }
}

extension ResponseBody.Iterator {
    /// The error of the next read; nil if the read does not fail.
    fileprivate var failure: LoadError? {
        get async {
            var iterator = self
            return await HTTPLoadingTests.failure(of: { () async throws(LoadError) in _ = try await iterator.next() })
        }
    }
}
