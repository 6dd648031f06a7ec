import Platform

/// A shell that runs a script. Its input ends when this object is released, or this process exits.
final class Shell: Sendable {
    private let socket: Int32
    private let process: pid_t

    init(_ script: String) throws {
        var ends: [Int32] = [-1, -1]
        // Created with close-on-exec. Otherwise, other processes that are started would keep the shell's input open.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestFailure("socketpair")
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        if getenv("AUTHHUB_TEST_SHELLS") == nil { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In a separate process group, so that the shell can still clean up if the group of the tests is killed.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map { (text: String) in strdup(text) }
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments + [nil], environ) == 0 else {
            close(ends[0])
            throw TestFailure("posix_spawn")
        }
        self.process = process
        socket = ends[0]
    }

    deinit {
        shutdown(socket, Int32(SHUT_WR))
        _ = line()
        close(socket)
        waitpid(process, nil, 0)
    }

    func say(_ word: String) {
        let bytes = Array("\(word)\n".utf8)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the next line of output, or the rest at the end.
    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a script to its end.
    ///
    /// - Returns: Its output.
    static func run(_ script: String) throws -> String {
        let shell = try Shell("\(script)\nprintf '\\n%s\\n' \"exit $?\"")
        shutdown(shell.socket, Int32(SHUT_WR))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(shell.socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasSuffix("\nexit 0\n") else { throw TestFailure("\(script): \(text.suffix(2_000))") }
        return String(text.dropLast("\nexit 0\n".count))
    }
}
