import Synchronization

/// The progress of a request in both directions. Set it as an option of the request.
///
/// ```swift
/// let progress = LoadProgress()
/// request.options[LoadProgress.self] = progress
/// Task { for await sent in progress.uploads { bar.set(sent.bytes, of: sent.expected) } }
/// ```
///
/// Use an instance for a single request. A slow reader may miss intermediate steps, but never the last one. Both sequences end with the
/// request: at the end of the response's body, with an error, or when the body is cancelled or released. The uploads end earlier, as soon
/// as there is a response and no more bytes are being sent.
public final class LoadProgress: Sendable {
    /// The number of bytes transferred so far.
    public struct Step: Sendable, Hashable {
        /// The number of bytes of the body so far. It starts again at zero if the body is sent again.
        public let bytes: Int
        /// The total number of bytes; nil if it is unknown.
        public let expected: Int?

        /// Creates a step, for example to compare it in a test.
        package init(bytes: Int, expected: Int?) {
            self.bytes = bytes
            self.expected = expected
        }
    }

    /// The progress of sending the request's body, for a single reader.
    public let uploads: AsyncStream<Step>
    /// The progress of receiving the response's body, for a single reader.
    public let downloads: AsyncStream<Step>
    private let uploading: AsyncStream<Step>.Continuation
    private let downloading: AsyncStream<Step>.Continuation
    private let state = Mutex(State())

    private struct State {
        var uploadCount = 0
        var isUploading = false
        var hasResponse = false
    }

    /// Creates an instance for one request. It reports nothing until the request is sent.
    public init() {
        (uploads, uploading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (downloads, downloading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts to report a body that is about to be sent and replaces the one that was sent before.
    func beginUpload(expecting expected: Int?) -> ReportedUpload {
        let number = state.withLock { state in
            state.uploadCount += 1
            state.isUploading = true
            // Inside the lock, as below, so that no step of an earlier upload arrives after this one. It runs no foreign code, since it
            // only enqueues.
            uploading.yield(Step(bytes: 0, expected: expected))
            return state.uploadCount
        }
        return ReportedUpload(of: self, number: number, expecting: expected)
    }

    func uploaded(_ step: Step, by number: Int) {
        state.withLock { state in
            guard state.uploadCount == number else { return }
            uploading.yield(step)
        }
    }

    func endUpload(_ number: Int) {
        let isLast = state.withLock { state in
            guard state.uploadCount == number else { return false }
            state.isUploading = false
            return state.hasResponse
        }
        if isLast { uploading.finish() }
    }

    func downloaded(_ step: Step) { downloading.yield(step) }

    /// Records that the request has its response and will not be sent again.
    func received() {
        let isLast = state.withLock { state in
            state.hasResponse = true
            return !state.isUploading
        }
        if isLast { uploading.finish() }
    }

    func finish() {
        uploading.finish()
        downloading.finish()
    }
}

extension LoadProgress: RequestOption {
    /// The default: nil, so that no progress is reported.
    public static var defaultValue: LoadProgress? { nil }
}
