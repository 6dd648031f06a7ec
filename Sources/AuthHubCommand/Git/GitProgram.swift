import AuthHubPrimitives
import CredentialStorage
import Platform
import WebAuthentication

/// The program git, as found in `PATH`.
enum GitProgram {
    struct Output: Sendable {
        /// The exit status; nil if git was ended by a signal.
        let status: Int32?
        var isSuccess: Bool { status == 0 }
        /// The lines that git wrote, without line breaks.
        let lines: [String]
    }

    /// Whether `PATH` has a program with the name git.
    static var isInstalled: Bool {
        let path: String = processEnvironment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/git", X_OK) == 0 }
    }

    /// Runs git and returns its output. Its messages appear on standard error.
    ///
    /// A bare repository may be part of a clone's content, with a configuration that is not the user's. It does not count: git ignores it,
    /// and the variables in which git names its repository to this tool are removed. The working folder decides, as for other commands.
    ///
    /// - Throws: ``Failure`` if git is not installed, or no process can be started.
    static func run(_ arguments: String...) async throws(Failure) -> Output {
        guard isInstalled else {
            throw Failure("git_failed", .failed, "git is not installed", hint: "install git, or add its folder to PATH")
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure(.last()) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(readEnd) }
        let process: BrowserProcess
        do {
            defer { close(writeEnd) }
            process = try BrowserProcess(
                path: "/bin/sh",
                arguments: ["sh", "-c", #"unset GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE; exec git "$@" >&3 2>&4 3>&- 4>&-"#, "git"]
                    + ["-c", "safe.bareRepository=explicit"] + arguments,
                environment: processEnvironment(), descriptors: [writeEnd, STDERR_FILENO])
        } catch {
            throw failure(error)
        }
        let bytes = contents(of: readEnd)
        let status: Int32? = if case .status(let status) = await process.exit { status } else { nil }
        // The last line ends with a line break, too.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        return Output(status: status, lines: lines.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func contents(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
        }
    }

    private static func failure(_ error: SystemCallError) -> Failure {
        Failure("git_failed", .failed, "git cannot be started: \(error)", hint: "install git, or add its folder to PATH")
    }
}
