import Synchronization

/// The body of a response: chunks in order, read once.
///
/// Nothing is buffered beyond what the transport has in flight. A body that is dropped unread lets its connection go.
public final class ResponseBody: AsyncSequence, Sendable {
    public typealias Element = ArraySlice<UInt8>
    public typealias Failure = LoadError
    public typealias Read = @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?

    private typealias EndAction = @Sendable () -> Void

    private enum Progress {
        case open(Read, cancel: (@Sendable () -> Void)?)
        case ended
        case failed(LoadError)
    }

    private struct State {
        var progress: Progress
        var isTaken = false
        var endAction: EndAction?

        /// What is left to do outside the lock, where this is what ends the body.
        mutating func end(_ end: Progress) -> Ending? {
            guard case .open(let read, let cancel) = progress else { return nil }
            progress = end
            return Ending(read: read, cancel: cancel, action: endAction.take())
        }

        mutating func atEnd(_ action: @escaping EndAction) {
            guard let former = endAction else { return endAction = action }
            endAction = {
                former()
                action()
            }
        }
    }

    /// A body's source, to be let go of, and those who wait for the end: both are foreign code.
    private struct Ending: Sendable {
        let read: Read
        let cancel: (@Sendable () -> Void)?
        let action: EndAction?

        func run(cancelling: Bool) {
            if cancelling { cancel?() }
            action?()
        }
    }

    /// The length the server announced, if any.
    public let announcedLength: Int?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - announcedLength: What the server said; a body of length 0 counts as read from the start.
    ///   - cancel: Gives the rest up, and ends a reading that is under way; called at most once, from anywhere, where the body is cancelled
    ///     or let go before its end.
    ///   - next: Called by one reader at a time, until it has returned nil or thrown.
    public init(announcedLength: Int? = nil, cancel: (@Sendable () -> Void)? = nil, next: @escaping Read) {
        self.announcedLength = announcedLength
        state = Mutex(State(progress: announcedLength == 0 ? .ended : .open(next, cancel: cancel)))
    }

    deinit {
        let ending = state.withLock { $0.end(.failed(Self.letGo)) }
        ending?.run(cancelling: true)
    }

    /// No body at all; it has ended from the start.
    public static var empty: ResponseBody { ResponseBody(announcedLength: 0) { () async throws(LoadError) in nil } }

    /// A body whose bytes are all here.
    public static func bytes(_ bytes: [UInt8]) -> ResponseBody {
        let rest = OneShot(bytes[...])
        return ResponseBody(announcedLength: bytes.count) { () async throws(LoadError) in rest.take() }
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
            return try await body.read()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> ArraySlice<UInt8>? {
            guard let body else { throw ResponseBody.readBefore }
            return try await body.read()
        }
    }

    /// Reads all of it.
    ///
    /// - Throws: ``LoadError`` with `.tooLarge` as soon as more than `limit` bytes are announced or have come, which ends the body;
    ///   `.invalidRequest` where it was read before, in whole or in part.
    public func collect(upTo limit: Int) async throws(LoadError) -> [UInt8] {
        guard take() else { throw Self.readBefore }
        if let announcedLength, announcedLength > limit { throw tooLarge(limit) }
        var bytes: [UInt8] = []
        while let chunk = try await read() {
            guard bytes.count + chunk.count <= limit else { throw tooLarge(limit) }
            bytes += chunk
        }
        return bytes
    }

    /// Ends the body here: its connection goes, and whoever reads gets ``LoadError`` with `.cancelled`. Does nothing to one that has ended.
    public func cancel() {
        cancel(LoadError(.cancelled, explanation: "the response body was cancelled"))
    }

    /// Runs the action once the body has ended: read to its end, failed, cancelled, or let go. At once where it has.
    ///
    /// The action is short and does not wait.
    public func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            guard case .open = state.progress else { return true }
            state.atEnd(action)
            return false
        }
        if hasEnded { action() }
    }

    /// A body in this one's place whose chunks come through a closure, such as one that counts, limits or decodes them.
    ///
    /// This body counts as read; cancelling the new one cancels it, too.
    ///
    /// - Parameters:
    ///   - announcedLength: That of the new body, where it differs.
    ///   - around: Gets the way to this body's next chunk, and returns the next of the new one.
    public func wrapped(
        announcedLength: Int?? = .none,
        _ around: @escaping @Sendable (_ read: Read) async throws(LoadError) -> ArraySlice<UInt8>?
    ) -> ResponseBody {
        let isReadBefore = !take()
        return ResponseBody(announcedLength: announcedLength ?? self.announcedLength, cancel: { self.cancel() }) {
            () async throws(LoadError) in
            guard !isReadBefore else { throw Self.readBefore }
            return try await around { () async throws(LoadError) in try await self.read() }
        }
    }
}

extension ResponseBody {
    /// Reads a short rest so that the connection can be used again; a longer one is cut off.
    func drain() async {
        _ = try? await collect(upTo: Self.shortLength)
        cancel()
    }

    /// Takes a short body off the line, so that it holds up nobody, and returns it to be read as before. A longer one is given back with
    /// its beginning read ahead.
    func detached() async -> ResponseBody {
        guard !hasEnded, take() else { return self }
        var chunks: [ArraySlice<UInt8>] = []
        var count = 0
        let rest: Result<Bool, LoadError>
        do throws(LoadError) {
            while count <= Self.shortLength, let chunk = try await read() {
                chunks.append(chunk)
                count += chunk.count
            }
            rest = .success(count > Self.shortLength)
        } catch {
            rest = .failure(error)
        }
        let ahead = OneShotQueue(chunks)
        return ResponseBody(announcedLength: announcedLength, cancel: { self.cancel() }) { () async throws(LoadError) in
            if let chunk = ahead.next() { return chunk }
            return try rest.get() ? try await self.read() : nil
        }
    }

    func cancel(_ error: LoadError) {
        let ending = state.withLock { $0.end(.failed(error)) }
        ending?.run(cancelling: true)
    }

    private static let shortLength = 64 * 1024

    private func read() async throws(LoadError) -> ArraySlice<UInt8>? {
        let read: Read
        switch state.withLock({ $0.progress }) {
        case .ended: return nil
        case .failed(let error): throw error
        case .open(let next, _): read = next
        }
        let result: Result<ArraySlice<UInt8>?, LoadError>
        do throws(LoadError) {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        let (outcome, ending) = state.withLock { state -> (Result<ArraySlice<UInt8>?, LoadError>, Ending?) in
            // What came while the body was being cancelled is not handed out.
            if case .failed(let error) = state.progress { return (.failure(error), nil) }
            return switch result {
            case .success(nil): (result, state.end(.ended))
            case .failure(let error): (result, state.end(.failed(error)))
            case .success: (result, nil)
            }
        }
        ending?.run(cancelling: false)
        return try outcome.get()
    }

    /// Whether nothing more will come.
    var hasEnded: Bool {
        state.withLock { if case .open = $0.progress { false } else { true } }
    }

    /// Whether the caller is the first to read.
    private func take() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// One for all: every body is let go of in the end, and none is left to read it.
    private static let letGo = LoadError(.cancelled)

    private static var readBefore: LoadError {
        LoadError(.invalidRequest, explanation: "the response body was read before")
    }

    private func tooLarge(_ limit: Int) -> LoadError {
        let error = LoadError(.tooLarge, explanation: "the response body is larger than \(limit) bytes")
        cancel(error)
        return error
    }
}

/// Chunks that are handed out one after another.
private final class OneShotQueue: Sendable {
    private let chunks: Mutex<ArraySlice<ArraySlice<UInt8>>>

    init(_ chunks: [ArraySlice<UInt8>]) {
        self.chunks = Mutex(chunks[...])
    }

    func next() -> ArraySlice<UInt8>? {
        chunks.withLock { $0.popFirst() }
    }
}
