import Synchronization

extension RequestBody {
    /// Returns the same body, which reports each chunk that is sent. An empty body reports no steps.
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
    /// Returns the same body, which reports each chunk that arrives, and ends the progress at its end.
    func reporting(to progress: LoadProgress) -> ResponseBody {
        let expected = announcedLength
        let received = Counter()
        progress.downloaded(.init(bytes: 0, expected: expected))
        // Use the end of this body, because a reset or a deadline ends it even if the new body is not being read.
        whenEnded { progress.finish() }
        return wrapped { read async throws(LoadError) in
            let chunk = try await read()
            if let chunk { progress.downloaded(.init(bytes: received.add(chunk.count), expected: expected)) }
            return chunk
        }
    }
}

/// One attempt to send a body, which ends when this object is deallocated.
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
