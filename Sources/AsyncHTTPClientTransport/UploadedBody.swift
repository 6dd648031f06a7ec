import AsyncHTTPClient
import HTTPLoading
import NIOCore
import Synchronization

/// The body of a request while it is sent, with the error of its producer, which the client would not report.
///
/// It requests one chunk at a time, and the next one when the connection has accepted it. The data ahead of the server is limited to half a
/// MiB on its way to the event loop, the client's 64 KiB per connection, and the buffers of the system's sockets.
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
        /// The number of bytes since the event loops last caught up.
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

    /// Cancels the producer of the rest and releases it: the client would wait for it even if the rest is no longer needed.
    func stop() {
        let former = state.withLock { state in
            defer { if case .ended = state {} else { state = .stopped } }
            return state
        }
        if case .making(let task) = former { task.cancel() }
    }

    /// Ends the body after the response has ended. If the response is not a success, the client stops sending. If everything was sent, only
    /// the producer still has to confirm its end, and the connection can be reused.
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

    /// Waits until the event loops have processed all bytes passed to them.
    ///
    /// The client requests chunks until a connection asks it to pause. A connection that is slower than the producer of the body can ask
    /// only after it has processed everything queued before, which can be the whole body.
    private func catchUp() async {
        for loop in eventLoops.makeIterator() { try? await loop.submit {}.get() }
    }

    /// The maximum number of bytes on their way to the event loop that sends them.
    private static let bytesAhead = 524_288

    private func begin() -> (Task<ArraySlice<UInt8>?, any Error>, ByteStream)? {
        state.withLock { state in
            guard case .idle(let stream) = state else { return nil }
            let task = Task {
                var iterator = stream.makeAsyncIterator()
                var chunk = try await iterator.next()
                // An empty chunk would end a chunked body (RFC 9112 §7.1).
                while let empty = chunk, empty.isEmpty { chunk = try await iterator.next() }
                return chunk
            }
            state = .making(task)
            return (task, stream)
        }
    }

    /// Adds the request to an error of the body's producer, which does not know the request.
    private func labelled(_ error: LoadError) -> LoadError {
        guard error.request == nil else { return error }
        return LoadError(error.code, for: request, explanation: error.explanation, underlying: error.underlying)
    }

    /// Holds no stream, because the client may keep this object forever.
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let body: UploadedBody

        func makeAsyncIterator() -> Self { self }

        func next() async throws -> ByteBuffer? {
            try await body.nextChunk().map { ByteBuffer(bytes: $0) }
        }
    }
}
