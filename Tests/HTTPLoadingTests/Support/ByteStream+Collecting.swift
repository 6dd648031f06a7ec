import HTTPLoading

extension ByteStream {
    /// All chunks, joined.
    func chunks() async throws(LoadError) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() { chunks.append(Array(chunk)) }
        return chunks
    }
}

extension RequestBody {
    /// The bytes of one iteration.
    func collected() async throws(LoadError) -> [UInt8] {
        try await open().chunks().flatMap(\.self)
    }

    /// A body that can be sent only once, of chunks that are all available.
    static func once(_ chunks: [[UInt8]], length: Int? = nil) -> Self {
        .stream(once: stream(chunks), length: length)
    }

    static func stream(_ chunks: [[UInt8]]) -> ByteStream {
        ByteStream(
            AsyncStream { continuation in
                for chunk in chunks { continuation.yield(chunk[...]) }
                continuation.finish()
            })
    }
}
