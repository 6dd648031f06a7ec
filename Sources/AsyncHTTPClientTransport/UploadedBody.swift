import AsyncHTTPClient
import HTTPLoading
import NIOCore
import Synchronization

/// The body of a request on its way out, and what went wrong while it was made: the client would only tell that it did.
///
/// One chunk is asked for at a time, and the next when the connection has taken it: what is ahead of the server is half a
/// MiB on its way to the event loop, the client's 64 KiB for each connection, and the buffers of the system's sockets.
final class UploadedBody: Sendable {
    private enum State {
        case unopened
        case idle(ByteStream)
        case making(Task<ArraySlice<UInt8>?, any Error>)
        case ended
        case stopped
    }

    private struct Sent {
        var bytes = 0
        /// Since the event loops were last caught up with.
        var ahead = 0
    }

    private let request: LoadRequest
    private let eventLoops: any EventLoopGroup
    private let firstFailure: Mutex<LoadError?> = Mutex(nil)
    private let state = Mutex(State.unopened)
    private let sent = Mutex(Sent())

    init(_ request: LoadRequest, on eventLoops: any EventLoopGroup) {
        self.request = request
        self.eventLoops = eventLoops
    }

    var failure: LoadError? { firstFailure.withLock { $0 } }

    func forClient() async throws(LoadError) -> HTTPClientRequest.Body? {
        if let bytes = request.body.bytes { return bytes.isEmpty ? nil : .bytes(ByteBuffer(bytes: bytes)) }
        do throws(LoadError) {
            let stream = try await request.body.open()
            state.withLock { $0 = .idle(stream) }
            return .stream(Chunks(body: self), length: request.body.length.map { .known(Int64($0)) } ?? .unknown)
        } catch {
            throw labelled(error)
        }
    }

    /// Cancels the making of the rest, and lets go of its source: the client would wait for it even where nobody wants it any more.
    func stop() {
        let former = state.withLock { state in
            defer { if case .ended = state {} else { state = .stopped } }
            return state
        }
        if case .making(let task) = former { task.cancel() }
    }

    /// The response has ended as well. The client sends nothing more after one that is no success, and keeps what it has not sent; where
    /// all has been sent, only the source is asked whether it agrees, and the connection may be used again.
    func stopAfterResponse() {
        let isMakingEnd = state.withLock { if case .making = $0 { isComplete } else { false } }
        if !isMakingEnd { stop() }
    }

    private var isComplete: Bool { sent.withLock { $0.bytes == request.body.length } }

    private func nextChunk() async throws -> ArraySlice<UInt8>? {
        guard let (task, stream) = begin() else {
            if isComplete { return nil }
            throw LoadError(.cancelled, for: request)
        }
        let result = await task.result
        if case .success(let chunk?) = result { await count(chunk) }
        state.withLock { state in
            guard case .making = state else { return }
            if case .success(_?) = result { state = .idle(stream) } else { state = .ended }
        }
        do {
            return try result.get()
        } catch {
            let error = labelled(LoadError(network: error, for: request))
            firstFailure.withLock { $0 = $0 ?? error }
            throw error
        }
    }

    private func count(_ chunk: ArraySlice<UInt8>) async {
        let isFarAhead = sent.withLock { sent in
            sent.bytes += chunk.count
            sent.ahead += chunk.count
            guard sent.ahead >= Self.bytesAhead else { return false }
            sent.ahead = 0
            return true
        }
        if isFarAhead { await catchUp() }
    }

    /// Waits until the event loops have seen all that was handed to them.
    ///
    /// The client asks for chunks until a connection tells it to pause; a connection that is slower than the maker of the body gets to
    /// tell it only when it has taken all that is queued in front of it, which can be the whole body.
    private func catchUp() async {
        for loop in eventLoops.makeIterator() { try? await loop.submit {}.get() }
    }

    /// How many bytes may be on their way to the event loop that sends them.
    private static let bytesAhead = 524_288

    private func begin() -> (Task<ArraySlice<UInt8>?, any Error>, ByteStream)? {
        state.withLock { state in
            guard case .idle(let stream) = state else { return nil }
            let task = Task {
                var iterator = stream.makeAsyncIterator()
                var chunk = try await iterator.next()
                // One without bytes would end a chunked body (RFC 9112 §7.1).
                while let empty = chunk, empty.isEmpty { chunk = try await iterator.next() }
                return chunk
            }
            state = .making(task)
            return (task, stream)
        }
    }

    /// Errors of the body's making do not know for which request it is made.
    private func labelled(_ error: LoadError) -> LoadError {
        guard error.request == nil else { return error }
        return LoadError(error.code, for: request, explanation: error.explanation, underlying: error.underlying)
    }

    /// Holds no stream: the client may keep it for ever.
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let body: UploadedBody

        func makeAsyncIterator() -> Self { self }

        func next() async throws -> ByteBuffer? {
            try await body.nextChunk().map { ByteBuffer(bytes: $0) }
        }
    }
}
