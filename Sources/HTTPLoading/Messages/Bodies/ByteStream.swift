import Synchronization

/// The bytes of a request body, in chunks that are requested as fast as they can be sent. Only one reader can use a stream.
public struct ByteStream: AsyncSequence, Sendable {
    public typealias Element = ArraySlice<UInt8>
    public typealias Failure = LoadError

    private let read: @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?

    /// Creates a stream from a closure.
    ///
    /// - Parameter read: Returns the next chunk, or nil at the end. It is never called concurrently.
    public init(_ read: @escaping @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?) {
        self.read = read
    }

    /// Creates a stream from any sequence of chunks. If the sequence throws an error, the request fails with `.invalidRequest` and has that
    /// error as its `underlying`.
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
                throw LoadError(.invalidRequest, explanation: "the request body could not be created", underlying: error)
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
    /// Returns the same stream with a check of its length: if it were shorter or longer than declared, a server would wait for the rest or
    /// treat the excess as the next request.
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
                    explanation: "the request body is \(missing < 0 ? "longer" : "shorter") than the \(length) bytes that it declared")
            }
            return chunk
        }
    }

    /// Creates a stream that yields bytes in memory as one chunk.
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
