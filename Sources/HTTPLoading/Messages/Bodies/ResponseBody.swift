import Synchronization

/// The body of a response: a sequence of chunks that can be read once.
///
/// A body buffers only the bytes that the transport has already received. Deallocating a body before its end releases its connection.
public final class ResponseBody: AsyncSequence, Sendable {
    public typealias Element = ArraySlice<UInt8>
    public typealias Failure = LoadError
    /// A closure that returns the next chunk, or nil at the end of the body.
    typealias Read = @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?

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

        /// Ends the body, and returns the work to do outside the lock if the body had not ended before.
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

    /// The source of an ended body, which has to be released, and the actions to run: both run foreign code.
    private struct Ending: Sendable {
        let read: Read
        let cancel: (@Sendable () -> Void)?
        let action: EndAction?

        func run(cancelling: Bool) {
            if cancelling { cancel?() }
            action?()
        }
    }

    /// The length that the server announced, in bytes; nil if it announced none.
    public let announcedLength: Int?
    private let state: Mutex<State>

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - announcedLength: The length that the server announced, in bytes. If it is 0, the body has already ended.
    ///   - cancel: Stops the transfer, and ends a read in progress. It is called if the body is cancelled or deallocated before its end, at
    ///     most once and on any thread.
    ///   - next: Returns the next chunk. It is never called concurrently, and not called again after it has returned nil or thrown an
    ///     error.
    public init(
        announcedLength: Int? = nil, cancel: (@Sendable () -> Void)? = nil,
        next: @escaping @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?
    ) {
        self.announcedLength = announcedLength
        state = Mutex(State(progress: announcedLength == 0 ? .ended : .open(next, cancel: cancel)))
    }

    deinit {
        let ending = state.withLock { $0.end(.failed(Self.letGo)) }
        ending?.run(cancelling: true)
    }

    /// An empty body that has already ended.
    public static var empty: ResponseBody { ResponseBody(announcedLength: 0) { () async throws(LoadError) in nil } }

    /// Creates a body from bytes in memory.
    public static func bytes(_ bytes: [UInt8]) -> ResponseBody {
        let rest = OneShot(bytes[...])
        return ResponseBody(announcedLength: bytes.count) { () async throws(LoadError) in rest.take() }
    }

    /// Creates an iterator over the chunks. A body can be read only once: a second iterator, or one after ``collect(upTo:)``, immediately
    /// throws ``LoadError`` with `.invalidRequest`.
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

    /// Reads the whole body.
    ///
    /// - Throws: ``LoadError`` with `.tooLarge` as soon as more than `limit` bytes are announced or received, which also ends the body;
    ///   with `.invalidRequest` if any part of the body has been read before.
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

    /// Cancels the body: releases its connection and ends a read in progress with ``LoadError`` and `.cancelled`. Has no effect after the
    /// end of the body.
    public func cancel() {
        cancel(LoadError(.cancelled, explanation: "the response body was cancelled"))
    }

    /// Runs an action when the body has ended: when it is read to its end, fails, is cancelled, or is deallocated. If it has already ended,
    /// the action runs immediately.
    ///
    /// The action has to be short and must not block.
    public func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            guard case .open = state.progress else { return true }
            state.atEnd(action)
            return false
        }
        if hasEnded { action() }
    }

    /// Returns a body that replaces this one and produces its chunks with a closure, for example to count, limit or decode them.
    ///
    /// This body can no longer be read directly. Cancelling the new body also cancels this one.
    ///
    /// - Parameters:
    ///   - announcedLength: The length of the new body, if it differs.
    ///   - around: Receives a closure that returns this body's next chunk, and returns the next chunk of the new body.
    public func wrapped(
        announcedLength: Int?? = .none,
        _ around:
            @escaping @Sendable (
                _ read: @Sendable () async throws(LoadError) -> ArraySlice<UInt8>?
            ) async throws(LoadError) -> ArraySlice<UInt8>?
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
    /// Reads the rest if it is short, so that the connection can be reused; cancels the body otherwise.
    func drain() async {
        _ = try? await collect(upTo: Self.shortLength)
        cancel()
    }

    /// Reads a short body into memory, so that it no longer holds its connection, and returns it as an unread body. A longer body is
    /// returned with its beginning already buffered.
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
            // Drop chunks that arrived while the body was being cancelled.
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

    /// Whether the body has ended.
    var hasEnded: Bool {
        state.withLock { if case .open = $0.progress { false } else { true } }
    }

    /// Claims the body for reading; returns whether the caller is the first reader.
    private func take() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// One shared error, because every body is released in the end and no one reads it after that.
    private static let letGo = LoadError(.cancelled)

    private static var readBefore: LoadError {
        LoadError(.invalidRequest, explanation: "the response body was already read")
    }

    private func tooLarge(_ limit: Int) -> LoadError {
        let error = LoadError(.tooLarge, explanation: "the response body is larger than \(limit) bytes")
        cancel(error)
        return error
    }
}

/// Chunks in memory that are returned one at a time.
private final class OneShotQueue: Sendable {
    private let chunks: Mutex<ArraySlice<ArraySlice<UInt8>>>

    init(_ chunks: [ArraySlice<UInt8>]) {
        self.chunks = Mutex(chunks[...])
    }

    func next() -> ArraySlice<UInt8>? {
        chunks.withLock { $0.popFirst() }
    }
}
