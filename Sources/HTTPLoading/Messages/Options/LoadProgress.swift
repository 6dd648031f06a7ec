import Synchronization

/// Tells how far a load has come, in both directions; set as an option of the request.
///
/// ```swift
/// let progress = LoadProgress()
/// request.options[LoadProgress.self] = progress
/// Task { for await sent in progress.uploads { bar.set(sent.bytes, of: sent.expected) } }
/// ```
///
/// One progress belongs to one load. Slow readers miss some steps in between, never the last. Both sequences end with the load, whether in
/// the end of the response's body, in an error, or because the body is cancelled or let go; that of the uploads ends before, as soon as
/// there is a response and nothing is being sent any more.
public final class LoadProgress: Sendable {
    /// How much of a body has passed.
    public struct Step: Sendable, Hashable {
        /// Bytes of the body so far. Begins again at zero where the body is sent again.
        public let bytes: Int
        /// Bytes in all; nil where nobody knows.
        public let expected: Int?

        public init(bytes: Int, expected: Int?) {
            self.bytes = bytes
            self.expected = expected
        }
    }

    /// Steps of the request's body. For one reader.
    public let uploads: AsyncStream<Step>
    /// Steps of the response's body. For one reader.
    public let downloads: AsyncStream<Step>
    private let uploading: AsyncStream<Step>.Continuation
    private let downloading: AsyncStream<Step>.Continuation
    private let state = Mutex(State())

    private struct State {
        var uploadCount = 0
        var isUploading = false
        var hasResponse = false
    }

    public init() {
        (uploads, uploading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (downloads, downloading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A body is about to be sent, in the place of one that was sent before.
    func beginUpload(expecting expected: Int?) -> ReportedUpload {
        let number = state.withLock { state in
            state.uploadCount += 1
            state.isUploading = true
            // Within the lock, as below, lest what an older upload tells comes after this; it runs nothing foreign, the reader is but queued.
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

    /// The load has its response, and will not send its request again.
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
    public static var defaultValue: LoadProgress? { nil }
}
