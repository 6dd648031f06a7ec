/// The body of a request: its bytes, its length if known, its media type, and whether it can be sent again.
///
/// ```swift
/// .empty                                      .json(["title": "…"])
/// .bytes(data, contentType: "image/png")      .form(["grant_type": "refresh_token"])
/// .stream(length: 3) { … }                    .stream(once: chunks)
/// .file(path, contentType: "image/png")       .multipart([MultipartPart(named: "title", text: "…")])
/// ```
///
/// A stream with a length either yields exactly that number of bytes or throws an error.
public struct RequestBody: Sendable {
    /// Whether a body can be sent again, for retries, redirects and rejected credentials.
    public enum Replay: Sendable, Hashable {
        /// A body that yields all its bytes each time it is opened.
        case always
        /// A body whose bytes can be sent only once.
        case once
    }

    /// A closure that opens a new stream of all bytes, once for each attempt.
    typealias Opening = @Sendable () async throws(LoadError) -> ByteStream

    private enum Content: Sendable {
        case bytes([UInt8])
        case stream(Opening, isSpent: @Sendable () -> Bool)
    }

    private let content: Content
    /// Whether the body can be sent more than once.
    public let replay: Replay
    /// The length in bytes; nil if it is not known in advance.
    public let length: Int?
    /// The value for `Content-Type` if the request does not have this field.
    public let contentType: String?

    private init(_ content: Content, replay: Replay = .always, length: Int?, contentType: String?) {
        self.content = content
        self.replay = replay
        self.length = length
        self.contentType = contentType
    }

    /// An empty body.
    public static let empty = RequestBody(.bytes([]), length: 0, contentType: nil)

    /// Creates a body from bytes in memory.
    public static func bytes(_ bytes: [UInt8], contentType: String? = nil) -> Self {
        RequestBody(.bytes(bytes), length: bytes.count, contentType: contentType)
    }

    /// Creates a body that generates its bytes while it is sent, again for each attempt.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known. If the stream is shorter or longer, the request fails with `.invalidRequest`.
    ///   - open: Opens a new stream for each attempt.
    public static func stream(
        length: Int? = nil, contentType: String? = nil, _ open: @escaping @Sendable () async throws(LoadError) -> ByteStream
    ) -> Self {
        RequestBody(.stream(open, isSpent: { false }), length: length, contentType: contentType)
    }

    /// Creates a body from a stream that can be read only once, so that the request cannot be sent again.
    public static func stream(once stream: ByteStream, length: Int? = nil, contentType: String? = nil) -> Self {
        let stream = OneShot(stream)
        let open: Opening = { () async throws(LoadError) in
            guard let stream = stream.take() else { throw spent }
            return stream
        }
        return RequestBody(.stream(open, isSpent: { stream.isTaken }), replay: .once, length: length, contentType: contentType)
    }

    /// Creates a body that combines other bodies. It can be sent again if all of them can.
    static func stream(of bodies: [RequestBody], length: Int?, contentType: String?, _ make: @escaping @Sendable () -> ByteStream) -> Self {
        guard bodies.contains(where: { $0.replay == .once }) else {
            return .stream(length: length, contentType: contentType) { () async throws(LoadError) in make() }
        }
        let opening = OneShot(make)
        let canBeSent: @Sendable () -> Bool = { !opening.isTaken && !bodies.contains { !$0.canBeSent } }
        let open: Opening = { () async throws(LoadError) in
            guard canBeSent(), let make = opening.take() else { throw spent }
            return make()
        }
        return RequestBody(.stream(open, isSpent: { !canBeSent() }), replay: .once, length: length, contentType: contentType)
    }

    private static var spent: LoadError {
        LoadError(.bodySpent, explanation: "the request body can only be sent once and was already sent")
    }
}

extension RequestBody {
    /// Whether the body is known to be empty.
    public var isEmpty: Bool { length == 0 }

    /// Whether the body can be sent now. A body that can be read only once can be sent if it has not been opened yet.
    public var canBeSent: Bool {
        switch content {
        case .bytes: true
        case .stream(_, let isSpent): !isSpent()
        }
    }

    /// All bytes, if they are in memory; nil for a stream.
    public var bytes: [UInt8]? {
        guard case .bytes(let bytes) = content else { return nil }
        return bytes
    }

    /// Opens a new stream of all bytes.
    ///
    /// Reading the stream throws `.invalidRequest` as soon as it has more or fewer bytes than ``length``.
    ///
    /// - Throws: ``LoadError`` with `.bodySpent` if the body can be read only once and has been opened before; otherwise, the error of the
    ///   closure that opens the body.
    public func open() async throws(LoadError) -> ByteStream {
        switch content {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .stream(let open, _):
            guard let length else { return try await open() }
            guard length >= 0 else { throw LoadError(.invalidRequest, explanation: "the request body declares a negative length") }
            return try await open().checked(length: length)
        }
    }

    /// Returns a body with the same bytes whose streams are transformed by a closure.
    func reopened(_ reopen: @escaping @Sendable (ByteStream) -> ByteStream) -> RequestBody {
        let open: Opening = { () async throws(LoadError) in reopen(try await self.open()) }
        return RequestBody(.stream(open, isSpent: { !self.canBeSent }), replay: replay, length: length, contentType: contentType)
    }
}

/// Shows the length and the media type.
extension RequestBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        if isEmpty { return "<empty>" }
        let count = length.map { "\($0) bytes" } ?? "unknown number of bytes"
        return "<\(count)\(contentType.map { " of \($0.prefix { $0 != ";" })" } ?? "")>"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
