import AuthHubPrimitives
import Platform

/// A regular file that is open for reading and is closed when this object is deallocated.
final class FileDescriptor: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Never retry after EINTR: the descriptor is already closed, and its number may have been reused.
        _ = close(descriptor)
    }

    /// Opens a file.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the file does not exist, cannot be read, or is not a regular file.
    static func open(_ path: String) throws(LoadError) -> FileDescriptor {
        try checkForNUL(path)
        // Nonblocking, because opening a pipe with this name would block the caller.
        let descriptor = retrying { systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .unreadableFile(errno) }
        let file = FileDescriptor(descriptor)
        _ = try file.length()
        return file
    }

    /// Returns the length of the file at a path, in bytes.
    static func length(of path: String) throws(LoadError) -> Int {
        try checkForNUL(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadableFile(errno) }
        return try length(status)
    }

    /// Returns the current length of the file, in bytes.
    func length() throws(LoadError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadableFile(errno) }
        return try Self.length(status)
    }

    /// Reads up to `limit` bytes, starting at an offset; returns an empty array at the end of the file.
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
            throw LoadError(.invalidRequest, explanation: "the request body's file is not a regular file")
        }
        return Int(status.st_size)
    }

    /// Rejects a path with a NUL, because the system would use only the part before it.
    private static func checkForNUL(_ path: String) throws(LoadError) {
        guard !path.utf8.contains(0) else {
            throw LoadError(.invalidRequest, explanation: "the path of the request body's file contains a NUL")
        }
    }
}

extension LoadError {
    fileprivate static func unreadableFile(_ number: Int32) -> LoadError {
        let explanation =
            switch number {
            case ENOENT, ENOTDIR: "the request body's file does not exist"
            case EACCES, EPERM: "this user is not allowed to read the request body's file"
            default: "the request body's file cannot be read: \(SystemCallError(number: number))"
            }
        return LoadError(.invalidRequest, explanation: explanation)
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags)
}
