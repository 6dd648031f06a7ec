/// The bytes of a multipart body. Each part is opened when its turn comes and released at its end.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = ArraySlice<UInt8>
    typealias Failure = LoadError

    let framing: MultipartFraming

    func makeAsyncIterator() -> Iterator {
        Iterator(framing: framing)
    }

    struct Iterator: AsyncIteratorProtocol {
        private let framing: MultipartFraming
        /// The index of the next delimiter. The part that is being sent has the index before it.
        private var index = 0
        private var part: ByteStream.Iterator?

        init(framing: MultipartFraming) {
            self.framing = framing
        }

        mutating func next() async throws(LoadError) -> ArraySlice<UInt8>? {
            if let chunk = try await part?.next() { return chunk }
            part = nil
            guard index <= framing.count else { return nil }
            defer { index += 1 }
            if index < framing.count { part = try await framing.body(at: index).open().makeAsyncIterator() }
            return framing.delimiter(before: index)[...]
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> ArraySlice<UInt8>? {
            try await next()
        }
    }
}
