import AsyncHTTPClient
import HTTPLoading
import NIOCore
import Synchronization

/// The body of a request on its way out, and what went wrong while it was made: the client would only tell that it did.
///
/// One chunk is asked for at a time, and the next when the connection has taken it: what is ahead of the server is one chunk, the client's
/// 64 KiB for each connection, and the buffers of the system's sockets.
final class UploadedBody: Sendable {
    private enum State {
        case idle
        case making(Task<ArraySlice<UInt8>?, any Error>)
        case ended
        case stopped
    }

    private let request: LoadRequest
    private let firstFailure: Mutex<LoadError?> = Mutex(nil)
    private let state = Mutex(State.idle)

    init(_ request: LoadRequest) {
        self.request = request
    }

    var failure: LoadError? { firstFailure.withLock { $0 } }

    func forClient() async throws(LoadError) -> HTTPClientRequest.Body? {
        if let bytes = request.body.bytes { return bytes.isEmpty ? nil : .bytes(ByteBuffer(bytes: bytes)) }
        do throws(LoadError) {
            let chunks = Chunks(body: self, stream: try await request.body.open())
            return .stream(chunks, length: request.body.length.map { .known(Int64($0)) } ?? .unknown)
        } catch {
            throw labelled(error)
        }
    }

    /// Cancels the making of the rest, which the client would wait for even where nobody wants it any more.
    func stop() {
        let former = state.withLock { state in
            defer { if case .ended = state {} else { state = .stopped } }
            return state
        }
        if case .making(let task) = former { task.cancel() }
    }

    private func nextChunk(of stream: ByteStream) async throws -> ArraySlice<UInt8>? {
        let task = state.withLock { state -> Task<ArraySlice<UInt8>?, any Error>? in
            guard case .idle = state else { return nil }
            let task = Task {
                var iterator = stream.makeAsyncIterator()
                // One without bytes would end a chunked body (RFC 9112 §7.1).
                var chunk = try await iterator.next()
                while let empty = chunk, empty.isEmpty { chunk = try await iterator.next() }
                return chunk
            }
            state = .making(task)
            return task
        }
        guard let task else { throw LoadError(.cancelled, for: request) }
        let result = await task.result
        state.withLock { state in
            guard case .making = state else { return }
            if case .success(_?) = result { state = .idle } else { state = .ended }
        }
        do {
            return try result.get()
        } catch {
            let error = labelled(LoadError(network: error, for: request))
            firstFailure.withLock { $0 = $0 ?? error }
            throw error
        }
    }

    /// Errors of the body's making do not know for which request it is made.
    private func labelled(_ error: LoadError) -> LoadError {
        guard error.request == nil else { return error }
        return LoadError(error.code, for: request, explanation: error.explanation, underlying: error.underlying)
    }

    private struct Chunks: AsyncSequence, Sendable {
        let body: UploadedBody
        let stream: ByteStream

        func makeAsyncIterator() -> Iterator {
            Iterator(body: body, stream: stream)
        }

        struct Iterator: AsyncIteratorProtocol {
            let body: UploadedBody
            let stream: ByteStream

            func next() async throws -> ByteBuffer? {
                try await body.nextChunk(of: stream).map { ByteBuffer(bytes: $0) }
            }
        }
    }
}
