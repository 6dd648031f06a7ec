import AuthHubPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file or folder; closed when it goes.
package struct POSIXFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // Never again after EINTR: the descriptor is gone by then, and may be someone else's already.
        _ = close(descriptor)
    }
}

extension POSIXFile {
    package enum Purpose {
        case read
        /// Fails where the file exists: what stands there may be a link to something else.
        case create
        case overwrite
        case lock
        /// The same, made where it is missing.
        case makeLock
        case synchronizeFolder

        fileprivate var flags: Int32 {
            // Not blocking: a pipe under the file's name would hold up the caller.
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

    /// Opens a file that only its owner may touch. A symbolic link to a file is refused.
    ///
    /// - Returns: Nil where it does not exist, or, for `.create`, exists already.
    package static func open(_ path: String, to purpose: Purpose) throws(CredentialStoreError) -> POSIXFile? {
        let descriptor = retrying { systemOpen(path, purpose.flags | O_CLOEXEC, 0o600) }
        if descriptor >= 0 {
            let file = POSIXFile(path: path, descriptor: descriptor)
            if purpose.flags & O_CREAT != 0 { try file.giveOwnerRights() }
            return file
        }
        switch (purpose, errno) {
        case (.read, ENOENT), (.overwrite, ENOENT), (.lock, ENOENT), (.makeLock, ENOENT), (.synchronizeFolder, ENOENT), (.create, EEXIST):
            return nil
        default: throw .systemCall("open", path)
        }
    }

    /// Undoes a umask that takes rights from the owner, too, who could open the file no more. A file of another owner, or for others, is
    /// left as it is.
    private func giveOwnerRights() throws(CredentialStoreError) {
        let status = try status()
        guard UserNamespace.current.isOurs(status.owner), status.permissions & 0o600 != 0o600 else { return }
        guard fchmod(descriptor, mode_t(status.permissions | 0o600)) == 0 else { throw .systemCall("fchmod", path) }
    }

    package func status() throws(CredentialStoreError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .systemCall("fstat", path) }
        return FileStatus(status)
    }

    /// Reads from the start until the end, or until the limit.
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

    /// Returns when the contents are on the disk itself.
    func synchronize() throws(CredentialStoreError) {
        #if canImport(Darwin)
        // fsync leaves the bytes in the drive's cache there; not every file system knows the stronger call.
        if retrying({ fcntl(descriptor, F_FULLFSYNC) }) == 0 { return }
        #endif
        guard retrying({ fsync(descriptor) }) == 0 else { throw .systemCall("fsync", path) }
    }

    /// Takes the exclusive lock of the file, if no one has it. It ends with the last copy of the descriptor, at the latest with the process.
    func tryLock() throws(CredentialStoreError) -> Bool {
        if retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .systemCall("flock", path) }
        return false
    }

    /// Frees the lock at once. Closing the file may not: a child process has a copy of the descriptor between `fork` and `exec`.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}
