import AuthHubPrimitives
import CredentialStorage
import Platform

/// The file that `git config --global` changes.
enum GitConfigurationFile {
    private static let sizeLimit = 16 * 1024 * 1024

    /// The path, by the same rules as in git (git-config(1), FILES).
    static var path: String {
        if let path = processEnvironment("GIT_CONFIG_GLOBAL") { return path }
        let home = processEnvironment("HOME") ?? ""
        let folder = processEnvironment("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
        let (own, shared) = ("\(home)/.gitconfig", "\(folder)/git/config")
        return access(own, R_OK) != 0 && access(shared, R_OK) == 0 ? shared : own
    }

    /// Returns the absolute path of an existing file, without symbolic links.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the content; nil if there is no file.
    static func contents(of path: String) throws(Failure) -> [UInt8]? {
        InputFile.exists(path) ? try InputFile.contents(of: path, limit: sizeLimit) : nil
    }

    /// Removes an insertion from its file, with the lock that git uses. A file that exists only for the insertion is deleted.
    static func remove(_ insertion: GitInsertion) throws(Failure) {
        guard InputFile.exists(insertion.file) else { return }
        // git, too, changes the target of a symbolic link.
        let path = resolved(insertion.file)
        try OutputFile.check(path, hint: "put the configuration back, then run the same command again")
        var facts = stat()
        let lock = "\(path).lock"
        let descriptor = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw failure(
                "\(lock) cannot be created: \(String(cString: strerror(errno)))",
                "wait until git has finished, then run the same command again")
        }
        var isReplaced = false
        defer {
            close(descriptor)
            if !isReplaced { unlink(lock) }
        }
        guard let content = try contents(of: path), insertion.isPresent(in: content) else { return }
        guard let rest = insertion.removed(from: content) else {
            throw failure(
                "the lines that authhub added to \(path) were changed", "delete them from that file: \(insertion.summary)")
        }
        if rest.isEmpty, insertion.createdFile {
            unlink(path)
            return
        }
        guard stat(path, &facts) == 0, fchmod(descriptor, facts.st_mode & 0o7777) == 0,
            StandardStreams.write(rest, to: descriptor) == nil, fsync(descriptor) == 0, rename(lock, path) == 0
        else {
            throw failure(
                "\(path) cannot be written: \(String(cString: strerror(errno)))", "fix the problem and run the same command again")
        }
        isReplaced = true
    }

    private static func failure(_ message: String, _ hint: String) -> Failure { Failure("git_failed", .failed, message, hint: hint) }
}

extension GitInsertion {
    /// The lines for a message.
    fileprivate var summary: String {
        text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
    }
}
