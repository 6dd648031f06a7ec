import AsyncHTTPClient
import HTTPLoading
import NIOCore
import Synchronization

/// A reader for the body of one response, which ends at the deadline even if no one is reading.
final class NetworkBodyReader: Sendable {
    private enum State {
        case idle(BodyIterator)
        case reading(Task<ByteBuffer?, any Error>?)
        case ended
        case failed(LoadError)
    }

    private let state: Mutex<State>
    private let timer: LoadTimer
    private let deadline: Mutex<UInt64?> = Mutex(nil)
    private let request: LoadRequest
    private let limit: Int?
    private let count = Mutex(0)

    /// Creates a reader.
    ///
    /// - Parameter limit: The maximum size of the whole body, in bytes.
    init(
        _ body: HTTPClientResponse.Body, of request: LoadRequest, upTo limit: Int?, until deadline: LoadClock.Instant, by timer: LoadTimer
    ) {
        state = Mutex(.idle(BodyIterator(body)))
        self.request = request
        self.limit = limit
        self.timer = timer
        let key = timer.at(deadline, graceIfLate: LoadTimer.grace) { [weak self] in self?.end(with: .timedOut) }
        self.deadline.withLock { $0 = key }
    }

    deinit {
        stopTimer()
    }

    func next() async throws(LoadError) -> ArraySlice<UInt8>? {
        guard let (iterator, reading) = try begin() else { return nil }
        let result = await withTaskCancellationHandler {
            await reading.result
        } onCancel: {
            reading.cancel()
        }
        return try end(with: result, of: iterator).map { ArraySlice($0.readableBytesView) }
    }

    private func begin() throws(LoadError) -> (BodyIterator, Task<ByteBuffer?, any Error>)? {
        let begun: Result<BodyIterator?, LoadError> = state.withLock { state in
            switch state {
            case .idle(let iterator):
                state = .reading(nil)
                return .success(iterator)
            case .reading:
                return .failure(LoadError(.invalidRequest, for: request, explanation: "the response body already has a reader"))
            case .ended:
                return .success(nil)
            case .failed(let error):
                return .failure(error)
            }
        }
        guard let iterator = try begun.get() else { return nil }
        // Not under the lock, because it runs synchronously until it suspends.
        let reading = beginReading(iterator)
        let isGivenUp = state.withLock { state in
            guard case .reading = state else { return true }
            state = .reading(reading)
            return false
        }
        if isGivenUp { reading.cancel() }
        return (iterator, reading)
    }

    /// Starts reading in a separate task that the deadline can cancel; on the calling thread if the system supports it, because most bytes
    /// are already available.
    private func beginReading(_ iterator: BodyIterator) -> Task<ByteBuffer?, any Error> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { try await iterator.next() }
        } else {
            Task { try await iterator.next() }
        }
    }

    private func end(with result: Result<ByteBuffer?, any Error>, of iterator: BodyIterator) throws(LoadError) -> ByteBuffer? {
        let ended: Result<ByteBuffer?, LoadError> = state.withLock { state in
            if case .failed(let error) = state { return .failure(error) }
            switch result {
            case .success(let chunk?):
                if let error = over(limit, with: chunk) {
                    state = .failed(error)
                    return .failure(error)
                }
                state = .idle(iterator)
                return .success(chunk)
            case .success(nil):
                state = .ended
                return .success(nil)
            case .failure(let error):
                let error = LoadError(network: error, for: request)
                state = .failed(error)
                return .failure(error)
            }
        }
        if case .success(_?) = ended {} else { stopTimer() }
        return try ended.get()
    }

    private func over(_ limit: Int?, with chunk: ByteBuffer) -> LoadError? {
        guard let limit else { return nil }
        let isOver = count.withLock { count in
            count += chunk.readableBytes
            return count > limit
        }
        return isOver ? LoadError(.tooLarge, for: request, explanation: "the decompressed body is larger than \(limit) bytes") : nil
    }

    /// Cancels the rest of the body; a reader gets an error.
    func cancel() {
        stopTimer()
        end(with: .cancelled)
    }

    private func stopTimer() {
        let key = deadline.withLock { $0.take() }
        if let key { timer.cancel(key) }
    }

    private func end(with code: LoadError.Code) {
        let given = state.withLock { state in
            defer {
                switch state {
                case .idle, .reading: state = .failed(LoadError(code, for: request))
                case .ended, .failed: break
                }
            }
            return state
        }
        if case .reading(let reading) = given { reading?.cancel() }
    }
}

/// The client's iterator in a box; releasing it ends the exchange.
private final class BodyIterator: @unchecked Sendable {  // the reader's state hands it to one task at a time
    private var iterator: HTTPClientResponse.Body.AsyncIterator

    init(_ body: HTTPClientResponse.Body) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws -> ByteBuffer? {
        try await iterator.next()
    }
}
