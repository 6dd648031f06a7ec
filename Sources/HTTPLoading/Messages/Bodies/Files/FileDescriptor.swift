import AuthHubPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A regular file that is open for reading; closed when it goes.
final class FileDescriptor: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Never again after EINTR: the descriptor is gone by then, and may be someone else's already.
        _ = close(descriptor)
    }

    /// - Throws: ``LoadError`` with `.invalidRequest` where it does not exist, may not be read, or is no regular file.
    static func open(_ path: String) throws(LoadError) -> FileDescriptor {
        try checkForNUL(path)
        // Not blocking: a pipe under the file's name would hold up the caller.
        let descriptor = retrying { systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .unreadableFile(errno) }
        let file = FileDescriptor(descriptor)
        _ = try file.length()
        return file
    }

    /// The length of the file at a path, in bytes.
    static func length(of path: String) throws(LoadError) -> Int {
        try checkForNUL(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadableFile(errno) }
        return try length(status)
    }

    /// The length it has now, in bytes.
    func length() throws(LoadError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadableFile(errno) }
        return try Self.length(status)
    }

    /// The bytes from an offset on, at most so many; none at the end.
    func read(atMost limit: Int, from offset: Int) throws(LoadError) -> [UInt8] {
        var failure: LoadError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let read = retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
            guard read >= 0 else {
                failure = .unreadableFile(errno)
                return
            }
            count = read
        }
        if let failure { throw failure }
        return bytes
    }

    private static func length(_ status: stat) throws(LoadError) -> Int {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LoadError(.invalidRequest, explanation: "the file of the request body is no regular file")
        }
        return Int(status.st_size)
    }

    /// The system would take the part before the NUL for the whole path.
    private static func checkForNUL(_ path: String) throws(LoadError) {
        guard !path.utf8.contains(0) else {
            throw LoadError(.invalidRequest, explanation: "the path of the request body's file has a NUL in it")
        }
    }
}

extension LoadError {
    fileprivate static func unreadableFile(_ number: Int32) -> LoadError {
        let explanation =
            switch number {
            case ENOENT, ENOTDIR: "the file of the request body does not exist"
            case EACCES, EPERM: "the file of the request body may not be read"
            default: "the file of the request body cannot be read: \(SystemCallError(number: number))"
            }
        return LoadError(.invalidRequest, explanation: explanation)
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags)
}
