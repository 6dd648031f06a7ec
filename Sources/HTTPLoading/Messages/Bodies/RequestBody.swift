/// What a request carries: a way to its bytes, their number where it is known, their media type, and whether they can be had again.
///
/// ```swift
/// .empty                                      .json(["title": "…"])
/// .bytes(data, contentType: "image/png")      .form(["grant_type": "refresh_token"])
/// .stream(length: 3) { … }                    .stream(once: chunks)
/// .file(path, contentType: "image/png")       .multipart([MultipartPart(named: "title", text: "…")])
/// ```
///
/// A stream with a length gives exactly as many bytes, or its reader an error.
public struct RequestBody: Sendable {
    /// Whether a body can be sent a second time, as retries, redirects and refused credentials want it.
    public enum Replay: Sendable, Hashable {
        /// Each opening gives all bytes anew.
        case always
        /// The bytes are gone when they were sent.
        case once
    }

    public typealias Opening = @Sendable () async throws(LoadError) -> ByteStream

    private enum Content: Sendable {
        case bytes([UInt8])
        case stream(Opening, isSpent: @Sendable () -> Bool)
    }

    private let content: Content
    /// Whether it can be sent again at all; ``canBeSent`` says whether it can be sent now.
    public let replay: Replay
    /// In bytes; nil where nobody knows it beforehand.
    public let length: Int?
    /// The value for `Content-Type`, set where the request has none.
    public let contentType: String?

    private init(_ content: Content, replay: Replay = .always, length: Int?, contentType: String?) {
        self.content = content
        self.replay = replay
        self.length = length
        self.contentType = contentType
    }

    /// No body at all.
    public static let empty = RequestBody(.bytes([]), length: 0, contentType: nil)

    /// Bytes as they are.
    public static func bytes(_ bytes: [UInt8], contentType: String? = nil) -> Self {
        RequestBody(.bytes(bytes), length: bytes.count, contentType: contentType)
    }

    /// Bytes that are made while they are sent, each time anew.
    ///
    /// - Parameters:
    ///   - length: How many bytes there will be, if that is known; the request fails with `.invalidRequest` where it turns out otherwise.
    ///   - open: Called for each sending.
    public static func stream(length: Int? = nil, contentType: String? = nil, _ open: @escaping Opening) -> Self {
        RequestBody(.stream(open, isSpent: { false }), length: length, contentType: contentType)
    }

    /// Bytes that come but once: the request cannot be sent again.
    public static func stream(once stream: ByteStream, length: Int? = nil, contentType: String? = nil) -> Self {
        let stream = OneShot(stream)
        let open: Opening = { () async throws(LoadError) in
            guard let stream = stream.take() else { throw spent }
            return stream
        }
        return RequestBody(.stream(open, isSpent: { stream.isTaken }), replay: .once, length: length, contentType: contentType)
    }

    /// Bytes that are made of other bodies: it can be sent again where all of them can.
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
        LoadError(.bodySpent, explanation: "the request body comes but once, and was sent before")
    }
}

extension RequestBody {
    /// Whether it is known to have no bytes.
    public var isEmpty: Bool { length == 0 }

    /// Whether the body can be sent now: one that comes but once, only if it was not opened yet.
    public var canBeSent: Bool {
        switch content {
        case .bytes: true
        case .stream(_, let isSpent): !isSpent()
        }
    }

    /// The bytes where all are in memory; nil for a stream.
    public var bytes: [UInt8]? {
        guard case .bytes(let bytes) = content else { return nil }
        return bytes
    }

    /// One fresh stream of all bytes.
    ///
    /// - Throws: ``LoadError`` with `.bodySpent` where the bytes come but once and were asked for before; what the body's own making throws.
    ///   Reading it throws `.invalidRequest` as soon as there are more or fewer bytes than ``length``.
    public func open() async throws(LoadError) -> ByteStream {
        switch content {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .stream(let open, _):
            guard let length else { return try await open() }
            guard length >= 0 else { throw LoadError(.invalidRequest, explanation: "the request body announces a negative length") }
            return try await open().checked(length: length)
        }
    }

    /// The same bytes through another way of opening.
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
