import HTTPLoading
import Synchronization
import Testing

struct ResponseBodyTests {
    @Test(arguments: [([], 0, true), ([1, 2, 3], 3, true), ([1, 2, 3], 2, false), ([1], 0, false)])
    func `collects a body up to its limit`(bytes: [UInt8], limit: Int, fits: Bool) async throws {
        for announced in [true, false] {
            let body = announced ? ResponseBody.bytes(bytes) : chunked(bytes.map { [$0] })
            if fits {
                #expect(try await body.collect(upTo: limit) == bytes)
            } else {
                let error = await #expect(throws: LoadError.self) { try await body.collect(upTo: limit) }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test func `does not start to read a body announced as too large`() async {
        let asked = Mutex(false)
        let body = ResponseBody(announcedLength: 11) { () async throws(LoadError) in
            asked.withLock { $0 = true }
            return nil
        }
        await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(!asked.withLock { $0 })
    }

    @Test func `reads nothing beyond the limit`() async {
        let chunks = Mutex(0)
        let body = ResponseBody { () async throws(LoadError) in
            chunks.withLock { $0 += 1 }
            return [1, 2, 3, 4]
        }
        await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(chunks.withLock { $0 } == 3)
    }

    @Test func `a body can be read once, and a second reader gets an error`() async throws {
        let body = chunked([[1], [2]])
        #expect(try await body.collect(upTo: 10) == [1, 2])
        let error = await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `does not collect a body that was started, so the rest cannot pass for the whole`() async throws {
        let body = chunked([[1], [2]])
        for try await chunk in body {
            #expect(chunk == [1])
            break
        }
        await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        await #expect(throws: LoadError.self) { for try await _ in body {} }
    }

    @Test func `throws an error that occurs in the middle of the body`() async {
        let count = Mutex(0)
        let body = ResponseBody { () async throws(LoadError) in
            guard
                count.withLock({ count in
                    count += 1; return count
                }) < 3
            else { throw LoadError(.connectionLost) }
            return [0]
        }
        let error = await #expect(throws: LoadError.self) { try await body.collect(upTo: 10) }
        #expect(error?.code == .connectionLost)
    }

    private func chunked(_ chunks: [ArraySlice<UInt8>]) -> ResponseBody {
        let rest = Mutex(chunks[...])
        return ResponseBody { () async throws(LoadError) in rest.withLock { $0.popFirst() } }
    }
}
