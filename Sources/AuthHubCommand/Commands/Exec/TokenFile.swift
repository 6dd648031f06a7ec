import AuthHubPrimitives
import CLinux
import CredentialStorage
import Platform

/// A file in memory that contains a token, in its own folder, which only the user can open.
///
/// The folder is locked while the tool is running. If the tool is killed, the next one removes the folder.
struct TokenFile: Sendable {
    let path: String
    private let folder: String
    private let lock: Int32

    private static let prefix = "authhub-exec."
    private static let attempts = 10

    /// The user's runtime folder, and a folder that is a tmpfs on most Linux systems.
    static var usualParents: [String] {
        [processEnvironment("XDG_RUNTIME_DIR"), "/dev/shm"].compactMap { $0 }.filter { $0.hasPrefix("/") }
    }

    /// Creates the folder in the first candidate that is a tmpfs. ``write(_:)`` creates the file.
    ///
    /// - Throws: ``Failure`` if no candidate is a tmpfs, because a token must not be written to a disk, or if the folder cannot be created.
    init(in candidates: [String] = usualParents) throws(Failure) {
        guard let parent = candidates.first(where: { Self.isInMemory($0) && Self.isSafe($0) }) else {
            throw Failure(
                "not_offered", .failed,
                "there is no folder in memory for the token: \(candidates.joined(separator: " and ")) must be a tmpfs that other users cannot change",
                hint: "use --env NAME, or set XDG_RUNTIME_DIR to a folder on a tmpfs")
        }
        Self.removeAbandoned(in: parent)
        for _ in 0..<Self.attempts {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Self.unwritable(parent, SystemCallError.last()) }
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Fails if another process has just removed the new folder because it was not locked yet.
            if let lock = Self.lock(folder) {
                self.lock = lock
                self.folder = folder
                path = "\(folder)/token"
                return
            }
        }
        throw Self.unwritable(parent, SystemCallError(number: EBUSY))
    }

    /// Replaces the token atomically.
    func write(_ token: Secret<String>) throws(Failure) {
        do {
            try FileSystem.replaceFile(path, with: Array(token.reveal().utf8))
        } catch {
            throw Failure(error)
        }
    }

    /// Removes the file and its folder.
    func remove() {
        Self.remove(folder, lock)
        close(lock)
    }

    private static func unwritable(_ parent: String, _ error: SystemCallError) -> Failure {
        Failure(
            "store_failed", .storeFailed, "no folder can be created in \(parent): \(error.reason)",
            hint: "use --env NAME, or set XDG_RUNTIME_DIR to a writable folder on a tmpfs")
    }

    private static func isInMemory(_ folder: String) -> Bool {
        #if os(Linux)
        return folder_is_on_tmpfs(folder) == 1
        #else
        return false
        #endif
    }

    /// Whether other users cannot rename what this user creates in the folder. Under `su`, `XDG_RUNTIME_DIR` may be another user's.
    private static func isSafe(_ folder: String) -> Bool {
        var information = stat()
        guard stat(folder, &information) == 0 else { return false }
        let isOwn = information.st_uid == geteuid() && information.st_mode & 0o022 == 0
        return isOwn || (information.st_uid == 0 && information.st_mode & mode_t(S_ISVTX) != 0)
    }

    /// Locks a folder of this user.
    ///
    /// - Returns: The descriptor; nil if another process has locked or removed it.
    private static func lock(_ folder: String) -> Int32? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var information = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &information) == 0, information.st_uid == geteuid(),
            information.st_nlink > 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Removes the folders of tools that were killed.
    private static func removeAbandoned(in parent: String) {
        for name in (try? FileSystem.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
            guard let lock = lock("\(parent)/\(name)") else { continue }
            remove("\(parent)/\(name)", lock)
            close(lock)
        }
    }

    /// Removes the files by the descriptor: the path may be another folder by now.
    private static func remove(_ folder: String, _ lock: Int32) {
        for name in (try? FileSystem.names(in: "/proc/self/fd/\(lock)")) ?? [] { unlinkat(lock, name, 0) }
        rmdir(folder)
    }
}
