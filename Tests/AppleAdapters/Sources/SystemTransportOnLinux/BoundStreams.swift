import Foundation
import Synchronization

#if !canImport(Darwin)
extension Stream {
    /// Replaces Apple's `getBoundStreams`, which Foundation lacks here.
    static func bound(bufferSize: Int) -> (InputStream, OutputStream)? {
        let pipe = BoundedPipe(limit: bufferSize)
        return (ReadingEnd(of: pipe), WritingEnd(of: pipe))
    }
}

/// A buffer for bytes that one thread passes to another; each thread waits for the other.
private final class BoundedPipe: @unchecked Sendable {  // the state is accessed only under the condition's lock
    private let condition = NSCondition()
    private let limit: Int
    private var bytes: [UInt8] = []
    private var isWritten = false
    private var isRead = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Waits for bytes; 0 at the end.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, upTo count: Int) -> Int {
        condition.withLock {
            while bytes.isEmpty, !isWritten { condition.wait() }
            let taken = min(count, bytes.count)
            for index in 0..<taken { buffer[index] = bytes[index] }
            bytes.removeFirst(taken)
            condition.broadcast()
            return taken
        }
    }

    /// Waits for space; -1 if the reader has closed.
    func write(_ buffer: UnsafePointer<UInt8>, upTo count: Int) -> Int {
        condition.withLock {
            while bytes.count >= limit, !isRead { condition.wait() }
            guard !isRead else { return -1 }
            let taken = min(count, limit - bytes.count)
            bytes += UnsafeBufferPointer(start: buffer, count: taken)
            condition.broadcast()
            return taken
        }
    }

    func endWriting() {
        condition.withLock {
            isWritten = true
            condition.broadcast()
        }
    }

    func endReading() {
        condition.withLock {
            isRead = true
            condition.broadcast()
        }
    }
}

private final class ReadingEnd: InputStream {
    private let pipe: BoundedPipe
    private var status = Stream.Status.notOpen

    init(of pipe: BoundedPipe) {
        self.pipe = pipe
        super.init(data: Data())
    }

    deinit {
        pipe.endReading()
    }

    override var streamStatus: Stream.Status { status }
    /// Apple's documentation allows true if only a read can find out.
    override var hasBytesAvailable: Bool { status == .open }
    override func open() { status = .open }

    override func close() {
        status = .closed
        pipe.endReading()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        let count = pipe.read(buffer, upTo: length)
        if count == 0 { status = .atEnd }
        return count
    }
}

private final class WritingEnd: OutputStream {
    private let pipe: BoundedPipe

    init(of pipe: BoundedPipe) {
        self.pipe = pipe
        super.init(toMemory: ())
    }

    required init(toMemory: ()) {
        pipe = BoundedPipe(limit: 0)
        super.init(toMemory: toMemory)
    }

    override func open() {}
    override func close() { pipe.endWriting() }
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int { pipe.write(buffer, upTo: length) }
}
#endif
