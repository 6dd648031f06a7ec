import AuthHubPrimitives
import Platform

/// A file that appears under its name only when it is complete. Until then, the bytes are in a temporary file in the same folder.
final class OutputFile: Sendable {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32

    /// Creates the temporary file.
    ///
    /// - Throws: ``Failure`` if the folder cannot be written, or the name belongs to something other than a file.
    init(_ path: String) throws(Failure) {
        let facts = try Self.check(path, hint: "name a file, or redirect standard output with >")
        let exists = facts != nil
        // A symbolic link stays, and its target is replaced.
        let resolved = exists ? realpath(path, nil) : nil
        defer { free(resolved) }
        let target = resolved.map { String(cString: $0) } ?? path
        guard !target.isEmpty, !target.hasSuffix("/") else {
            throw .usage("“\(path)” is not the name of a file", hint: "add a name to the folder")
        }
        self.path = target
        let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
        temporaryPath = "\(folder).\(Base64URL.encode(randomBytes(count: 9))).authhub"
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        if let facts { fchmod(descriptor, facts.st_mode & 0o777) }
    }

    /// Returns the status of a file that will be written or replaced; nil if there is none.
    ///
    /// - Throws: ``Failure`` if the name belongs to something else, such as a device, which root could replace.
    @discardableResult
    static func check(_ path: String, hint: String) throws(Failure) -> stat? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .usage("\(path) is not a regular file", hint: hint) }
        return facts
    }

    deinit {
        close(descriptor)
        // Nothing has this name any more if the file is complete.
        unlink(temporaryPath)
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard StandardStreams.write(bytes, to: descriptor) == nil else { throw Self.failure(path) }
    }

    /// Gives the file its name, in place of an earlier one.
    func finish() throws(Failure) {
        guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(
            "output_failed", .failed, "\(path) cannot be written: \(String(cString: strerror(errno)))",
            hint: "name a file in a folder that you can write to")
    }
}
