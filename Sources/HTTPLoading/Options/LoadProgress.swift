import Synchronization

/// Tells how far a load has come, in both directions; set as an option of the request.
///
/// ```swift
/// let progress = LoadProgress()
/// request.options[LoadProgress.self] = progress
/// Task { for await sent in progress.uploads { bar.set(sent.bytes, of: sent.expected) } }
/// ```
///
/// One progress belongs to one load. Slow readers miss some steps in between, never the last. Both sequences end with the load.
public final class LoadProgress: Sendable {
    /// How much of a body has passed.
    public struct Step: Sendable, Hashable {
        /// Bytes of the body so far. Begins again at zero where the body is sent again.
        public let bytes: Int
        /// Bytes in all; nil where nobody knows.
        public let expected: Int?
    }

    /// Steps of the request's body. For one reader.
    public let uploads: AsyncStream<Step>
    /// Steps of the response's body. For one reader.
    public let downloads: AsyncStream<Step>
    private let uploading: AsyncStream<Step>.Continuation
    private let downloading: AsyncStream<Step>.Continuation

    public init() {
        (uploads, uploading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (downloads, downloading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func uploaded(_ step: Step) { uploading.yield(step) }
    func downloaded(_ step: Step) { downloading.yield(step) }
    func finishUpload() { uploading.finish() }

    func finish() {
        uploading.finish()
        downloading.finish()
    }
}

extension LoadProgress: RequestOption {
    public static var defaultValue: LoadProgress? { nil }
}

extension RequestBody {
    /// The same body; each chunk that goes out is told.
    func reporting(to progress: LoadProgress) -> RequestBody {
        let expected = length
        return reopened { stream in
            let sent = Counter()
            progress.uploaded(.init(bytes: 0, expected: expected))
            return ByteStream { () async throws(LoadError) in
                var iterator = stream.makeAsyncIterator()
                let chunk = try await iterator.next()
                if let chunk { progress.uploaded(.init(bytes: sent.add(chunk.count), expected: expected)) }
                return chunk
            }
        }
    }
}

extension ResponseBody {
    /// The same body; each chunk that comes in is told, and its end ends the progress.
    func reporting(to progress: LoadProgress) -> ResponseBody {
        let expected = announcedLength
        let received = Counter()
        progress.downloaded(.init(bytes: 0, expected: expected))
        let body = wrapped { read async throws(LoadError) in
            let chunk = try await read()
            if let chunk { progress.downloaded(.init(bytes: received.add(chunk.count), expected: expected)) }
            return chunk
        }
        body.whenEnded { progress.finish() }
        return body
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func add(_ more: Int) -> Int {
        count.withLock { count in
            count += more
            return count
        }
    }
}
