import Synchronization

/// The body of a response: chunks in order, read once.
///
/// Nothing is buffered beyond what the transport has in flight. A body that is dropped unread lets its connection go.
public final class ResponseBody: AsyncSequence, Sendable {
    public typealias Element = ArraySlice<UInt8>
    public typealias Failure = LoadError

    private let next: @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?
    /// The length the server announced, if any.
    public let announcedLength: Int?
    private let isTaken = Mutex(false)

    /// - Parameter next: Called by one reader at a time; returns nil at the end, and again if asked again.
    public init(announcedLength: Int? = nil, next: @escaping @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?) {
        self.announcedLength = announcedLength
        self.next = next
    }

    public static var empty: ResponseBody { ResponseBody(announcedLength: 0) { () async throws(LoadError) in nil } }

    /// A body whose bytes are all here.
    public static func bytes(_ bytes: [UInt8]) -> ResponseBody {
        let rest = OneShot(bytes[...])
        return ResponseBody(announcedLength: bytes.count) { () async throws(LoadError) in
            rest.take().flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// The chunks. A second iterator, or one after ``collect(upTo:)``, throws ``LoadError`` with `.invalidRequest` at once, so that
    /// nobody takes the rest for the whole.
    public func makeAsyncIterator() -> Iterator {
        Iterator(body: take() ? self : nil)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody?

        public mutating func next() async throws(LoadError) -> ArraySlice<UInt8>? {
            guard let body else { throw ResponseBody.readBefore }
            return try await body.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> ArraySlice<UInt8>? {
            guard let body else { throw ResponseBody.readBefore }
            return try await body.next()
        }
    }

    /// Reads all of it.
    ///
    /// - Throws: ``LoadError`` with `.tooLarge` as soon as more than `limit` bytes are announced or have come; `.invalidRequest` where
    ///   the body was read before, in whole or in part.
    public func collect(upTo limit: Int) async throws(LoadError) -> [UInt8] {
        guard take() else { throw Self.readBefore }
        if let announcedLength, announcedLength > limit { throw Self.tooLarge(limit) }
        var bytes: [UInt8] = []
        while let chunk = try await next() {
            guard bytes.count + chunk.count <= limit else { throw Self.tooLarge(limit) }
            bytes += chunk
        }
        return bytes
    }

    /// Reads a short rest so that the connection can be used again; a longer one is left, and the connection with it.
    func drain() async {
        _ = try? await collect(upTo: 64 * 1024)
    }

    /// Whether the caller is the first to read.
    private func take() -> Bool {
        isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
    }

    private static var readBefore: LoadError {
        LoadError(.invalidRequest, explanation: "the response body was read before")
    }

    private static func tooLarge(_ limit: Int) -> LoadError {
        LoadError(.tooLarge, explanation: "the response body is larger than \(limit) bytes")
    }
}

/// A value that can be taken once.
private final class OneShot<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
