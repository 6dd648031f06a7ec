#if canImport(Darwin) || URLSESSION_ON_LINUX
import HTTPLoading
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// A request and its response, between URLSession's delegate, which pushes, and a reader, which pulls.
final class Exchange: Sendable {
    private struct State {
        var head: Result<HTTPResponse, LoadError>?
        var headReader: CheckedContinuation<Result<HTTPResponse, LoadError>, Never>?
        /// The chunks that have arrived and were not read yet.
        var chunks: [ArraySlice<UInt8>] = []
        var chunkReader: CheckedContinuation<Result<ArraySlice<UInt8>?, LoadError>, Never>?
        /// Whether the task should wait until the reader wants more.
        var isSuspended = false
        var end: Result<Void, LoadError>?
        var endActions: [@Sendable () -> Void] = []
    }

    let request: LoadRequest
    let task: URLSessionTask
    private let state = Mutex(State())
    /// Whether the task is suspended. The lock is held while this changes, because a suspension after its own end would last forever.
    private let suspension = Mutex(false)

    init(_ request: LoadRequest, task: URLSessionTask) {
        self.request = request
        self.task = task
    }

    /// Waits for the head of the response. Only one caller may wait.
    func head() async -> Result<HTTPResponse, LoadError> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.head == nil { state.headReader = continuation }
                return state.head
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Waits for the next bytes of the body. Only one caller may wait at a time.
    func nextChunk() async throws(LoadError) -> ArraySlice<UInt8>? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<ArraySlice<UInt8>?, LoadError>, Never>) in
                let known = state.withLock { Self.take(&$0, for: continuation) }
                suspendOrResume()
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            end(with: LoadError(.cancelled, for: request))
        }
        return try result.get()
    }

    /// Returns the length of the body, if the server counted the same bytes.
    func announcedLength(of head: HTTPResponse) -> Int? {
        if request.head.method == .head || [204, 304].contains(head.status.code) { return 0 }
        return head.headerFields[.contentLength].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    func received(_ head: HTTPResponse) {
        let reader = state.withLock { state -> CheckedContinuation<Result<HTTPResponse, LoadError>, Never>? in
            guard state.head == nil else { return nil }
            state.head = .success(head)
            defer { state.headReader = nil }
            return state.headReader
        }
        reader?.resume(returning: .success(head))
    }

    func received(_ bytes: ArraySlice<UInt8>) {
        let reader = state.withLock { state -> CheckedContinuation<Result<ArraySlice<UInt8>?, LoadError>, Never>? in
            guard state.end == nil, !bytes.isEmpty else { return nil }
            if let reader = state.chunkReader.take() { return reader }
            state.chunks.append(bytes)
            state.isSuspended = true
            return nil
        }
        reader?.resume(returning: .success(bytes))
        suspendOrResume()
    }

    /// Ends the exchange unless it has already ended. The error is nil if everything has arrived.
    func end(with error: LoadError?) {
        let (headReader, chunkReader, actions) = state.withLock {
            state -> (
                CheckedContinuation<Result<HTTPResponse, LoadError>, Never>?,
                CheckedContinuation<Result<ArraySlice<UInt8>?, LoadError>, Never>?, [@Sendable () -> Void]
            ) in
            guard state.end == nil else { return (nil, nil, []) }
            state.end = error.map { .failure($0) } ?? .success(())
            if error != nil { state.chunks = [] }
            if state.head == nil { state.head = .failure(error ?? LoadError(.connectionLost, for: request)) }
            defer { (state.headReader, state.chunkReader, state.endActions) = (nil, nil, []) }
            return (state.headReader, state.chunkReader, state.endActions)
        }
        if error != nil { task.end() }
        headReader?.resume(returning: .failure(error ?? LoadError(.connectionLost, for: request)))
        chunkReader?.resume(returning: error.map { .failure($0) } ?? .success(nil))
        for action in actions { action() }
    }

    func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.end == nil { state.endActions.append(action) }
            return state.end != nil
        }
        if hasEnded { action() }
    }

    private func suspendOrResume() {
        suspension.withLock { isSuspended in
            let (isWanted, hasEnded) = state.withLock { ($0.isSuspended, $0.end != nil) }
            guard isWanted != isSuspended, !hasEnded else { return }
            isSuspended = isWanted
            task.hold(isWanted)
        }
    }

    /// Returns the chunk that is available immediately, if any; otherwise resumes the task.
    private static func take(
        _ state: inout State, for reader: CheckedContinuation<Result<ArraySlice<UInt8>?, LoadError>, Never>
    ) -> Result<ArraySlice<UInt8>?, LoadError>? {
        if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
        if let end = state.end { return end.map { nil } }
        state.chunkReader = reader
        state.isSuspended = false
        return nil
    }
}

#if canImport(Darwin)
extension URLSessionTask {
    /// Suspends or resumes the task.
    func hold(_ isHeld: Bool) {
        if isHeld { suspend() } else { resume() }
    }

    /// Cancels the rest of the exchange without waiting.
    func end() {
        cancel()
    }
}

extension URLSession {
    /// Calls a method of the session. On Linux, where such calls can block, the test target runs them on a separate thread.
    static func performing<Value: Sendable>(_ call: @Sendable () -> Value) async -> Value {
        call()
    }
}
#endif
#endif
