import AuthHubPrimitives
import Platform

/// An open file or folder, which is closed when the value is destroyed.
package struct POSIXFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // Do not retry after EINTR: the descriptor is closed by then, and may already belong to another file.
        _ = close(descriptor)
    }
}

extension POSIXFile {
    package enum Purpose {
        case read
        /// Fails if the file exists: it may be a link to another file.
        case create
        case overwrite
        case lock
        /// Like ``lock``, but creates the file if it is missing.
        case makeLock
        case synchronizeFolder

        fileprivate var flags: Int32 {
            // Non-blocking: a pipe at the file's path would block the caller.
            switch self {
            case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .create: O_WRONLY | O_CREAT | O_EXCL
            case .overwrite: O_WRONLY | O_NOFOLLOW | O_NONBLOCK
            case .lock: O_RDWR | O_NOFOLLOW | O_NONBLOCK
            case .makeLock: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
            case .synchronizeFolder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    /// Opens a file that only its owner may access. A symbolic link to a file is rejected.
    ///
    /// - Returns: The file; nil if it does not exist or, for `.create`, if it already exists.
    package static func open(_ path: String, to purpose: Purpose) throws(CredentialStoreError) -> POSIXFile? {
        let descriptor = retrying { systemOpen(path, purpose.flags | O_CLOEXEC, 0o600) }
        if descriptor >= 0 {
            let file = POSIXFile(path: path, descriptor: descriptor)
            if purpose.flags & O_CREAT != 0 { try file.giveOwnerRights() }
            return file
        }
        switch (purpose, errno) {
        case (.create, EEXIST): return nil
        case (.create, _): throw .systemCall("open", path)
        case (_, ENOENT): return nil
        default: throw .systemCall("open", path)
        }
    }

    /// Reverts a umask that removes permissions from the owner, too, who could no longer open the file. A file of another owner, or with
    /// permissions for others, does not change.
    private func giveOwnerRights() throws(CredentialStoreError) {
        let status = try status()
        guard UserNamespace.current.isOurs(status.owner), status.permissions & 0o600 != 0o600 else { return }
        guard fchmod(descriptor, mode_t(status.permissions | 0o600)) == 0 else { throw .systemCall("fchmod", path) }
    }

    package func status() throws(CredentialStoreError) -> FileStatus {
        try FileStatus(of: descriptor, path)
    }

    /// Reads from the start to the end, or up to the limit.
    package func read(atMost limit: Int) throws(CredentialStoreError) -> [UInt8] {
        var failure: CredentialStoreError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = retrying { pread(descriptor, rest.baseAddress, rest.count, off_t(count)) }
                guard read >= 0 else {
                    failure = .systemCall("read", path)
                    return
                }
                guard read > 0 else { return }
                count += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int = 0) throws(CredentialStoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { pwrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written, off_t(offset + written)) }
            }
            guard count > 0 else { throw .systemCall("write", path) }
            written += count
        }
    }

    func truncate(to length: Int = 0) throws(CredentialStoreError) {
        guard retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else { throw .systemCall("ftruncate", path) }
    }

    /// Returns when the contents are durable.
    func synchronize() throws(CredentialStoreError) {
        #if canImport(Darwin)
        // On this system, fsync leaves the bytes in the drive's cache; not every file system supports the stronger call.
        if retrying({ fcntl(descriptor, F_FULLFSYNC) }) == 0 { return }
        #endif
        guard retrying({ fsync(descriptor) }) == 0 else { throw .systemCall("fsync", path) }
    }

    /// Acquires the exclusive lock of the file if it is free. The lock ends with the last copy of the descriptor, at the latest with the
    /// process.
    func tryLock() throws(CredentialStoreError) -> Bool {
        if retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .systemCall("flock", path) }
        return false
    }

    /// Releases the lock immediately. Closing the file may not: a child process has a copy of the descriptor between `fork` and `exec`.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}
