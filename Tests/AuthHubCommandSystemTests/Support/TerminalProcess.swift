import Dispatch
import Synchronization
import WebAuthentication

#if canImport(Glibc)
import Glibc

/// A program in its own terminal, and the user of the terminal.
final class TerminalProcess: Sendable {
    struct CannotStart: Error {
        let code: Int32
    }

    private let terminal: Int32
    private let processID: pid_t
    private let output = Mutex("")
    private let hasEnded = Mutex(false)
    private let news = AsyncStream.makeStream(of: Void.self)

    /// - Parameter size: The columns and lines of the terminal; nil if they are unknown, as on a serial line.
    init(_ arguments: [String], environment: [String: String], size: (columns: UInt16, lines: UInt16)? = nil) throws {
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // Does the same as unlockpt(3) and ptsname(3), which the module map does not contain.
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
            throw CannotStart(code: errno)
        }
        if let size {
            var room = winsize(ws_row: size.lines, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
            guard ioctl(terminal, UInt(TIOCSWINSZ), &room) == 0 else { throw CannotStart(code: errno) }
        }
        let name = "/dev/pts/\(number)"
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The first terminal that a session leader opens becomes its controlling terminal.
        for stream in STDIN_FILENO...STDERR_FILENO { posix_spawn_file_actions_addopen(&actions, stream, name, O_RDWR, 0) }
        for descriptor in STDERR_FILENO + 1..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let setsid: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(setsid | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
        var processID: pid_t = 0
        let code = withCStrings(arguments) { words in
            withCStrings(environment.map { "\($0)=\($1)" }) { posix_spawnp(&processID, arguments[0], &actions, &attributes, words, $0) }
        }
        guard code == 0 else { throw CannotStart(code: code) }
        self.processID = processID
        DispatchQueue(label: "terminal \(processID)").async { [self] in follow() }
    }

    /// The terminal must not be closed earlier: input for a program that has ended could then reach a file that another test has opened
    /// since.
    deinit { close(terminal) }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Whether the terminal has echo and line editing turned on while the program is running.
    var isPlain: Bool {
        var settings = termios()
        guard !hasEnded.withLock({ $0 }), tcgetattr(terminal, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// - Returns: All output, once it contains this text or the program has ended.
    func shown(with text: String) async -> String {
        await shown { $0.contains(text) }
    }

    /// - Returns: All output, once it meets the condition or the program has ended.
    func shown(until condition: (String) -> Bool) async -> String {
        for await _ in news.stream {
            let output = output.withLock { $0 }
            if condition(output) { return output }
        }
        return output.withLock { $0 }
    }

    private func follow() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(terminal, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
            news.continuation.yield()
        }
        kill(-processID, SIGKILL)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) == -1, errno == EINTR {}
        hasEnded.withLock { $0 = true }
        news.continuation.finish()
    }
}
#endif
