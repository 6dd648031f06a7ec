import Synchronization

/// Bytes on their way out, chunk by chunk, asked for as fast as they can be sent. For one reader.
public struct ByteStream: AsyncSequence, Sendable {
    public typealias Element = ArraySlice<UInt8>
    public typealias Failure = LoadError

    private let read: @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?

    /// - Parameter read: Returns the next chunk, and nil at the end; called by one reader at a time.
    public init(_ read: @escaping @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?) {
        self.read = read
    }

    /// The chunks of any sequence; an error of its own ends the request as `.invalidRequest`, with that error underlying.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == ArraySlice<UInt8> {
        let iterator = IteratorBox(chunks.makeAsyncIterator())
        self.init { () async throws(LoadError) in
            do {
                return try await iterator.next()
            } catch let error as LoadError {
                throw error
            } catch is CancellationError {
                throw LoadError(.cancelled)
            } catch {
                throw LoadError(.invalidRequest, explanation: "the request body could not be made", underlying: error)
            }
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(read: read)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?

        public mutating func next() async throws(LoadError) -> ArraySlice<UInt8>? {
            try await read()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> ArraySlice<UInt8>? {
            try await read()
        }
    }
}

extension ByteStream {
    /// The same bytes, as long as they are as many as was said: a server would wait for the rest, or take it for the next request.
    func checked(length: Int) -> ByteStream {
        let rest = Mutex(length)
        return ByteStream { () async throws(LoadError) in
            let chunk = try await read()
            let missing = rest.withLock { rest in
                rest -= chunk?.count ?? 0
                return rest
            }
            if chunk == nil ? missing != 0 : missing < 0 {
                throw LoadError(
                    .invalidRequest,
                    explanation: "the request body is \(missing < 0 ? "longer" : "shorter") than the \(length) bytes it announced")
            }
            return chunk
        }
    }

    /// Bytes that are all here, in one chunk.
    public static func bytes(_ bytes: [UInt8]) -> ByteStream {
        let rest = OneShot(bytes[...])
        return ByteStream { () async throws(LoadError) in rest.take().flatMap { $0.isEmpty ? nil : $0 } }
    }
}

private final class IteratorBox<Base: AsyncIteratorProtocol>: @unchecked Sendable {  // a stream has one reader
    private var iterator: Base

    init(_ iterator: Base) {
        self.iterator = iterator
    }

    func next() async throws -> Base.Element? {
        try await iterator.next()
    }
}
