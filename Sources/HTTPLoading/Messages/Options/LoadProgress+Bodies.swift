import Synchronization

extension RequestBody {
    /// The same body; each chunk that goes out is told. One without any bytes has no steps.
    func reporting(to progress: LoadProgress) -> RequestBody {
        if let bytes, bytes.isEmpty { return self }
        let expected = length
        return reopened { stream in
            let upload = progress.beginUpload(expecting: expected)
            return ByteStream { () async throws(LoadError) in
                var iterator = stream.makeAsyncIterator()
                do throws(LoadError) {
                    let chunk = try await iterator.next()
                    if let chunk { upload.passed(chunk.count) } else { upload.end() }
                    return chunk
                } catch {
                    upload.end()
                    throw error
                }
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
        // This body's end, since a reset or a deadline ends it where nobody reads the new one.
        whenEnded { progress.finish() }
        return wrapped { read async throws(LoadError) in
            let chunk = try await read()
            if let chunk { progress.downloaded(.init(bytes: received.add(chunk.count), expected: expected)) }
            return chunk
        }
    }
}

/// One sending of a body; it has ended when it goes.
final class ReportedUpload: Sendable {
    private let progress: LoadProgress
    private let number: Int
    private let expected: Int?
    private let sent = Counter()

    init(of progress: LoadProgress, number: Int, expecting expected: Int?) {
        self.progress = progress
        self.number = number
        self.expected = expected
    }

    deinit {
        end()
    }

    func passed(_ count: Int) {
        progress.uploaded(.init(bytes: sent.add(count), expected: expected), by: number)
    }

    func end() {
        progress.endUpload(number)
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
