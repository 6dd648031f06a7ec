import AuthHubPrimitives
import CLinux
import Dispatch
import Platform
import Synchronization

/// A program that runs as if the user had started it instead of the tool.
///
/// It is in the tool's process group, so that it can use the terminal. It inherits the tool's standard streams and all of its variables,
/// because the user chose the program, and it may run the tool again. The tool's signals are passed on to it.
final class ChildProgram: Sendable {
    enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// What the program inherits, as it was before the tool opened files and handled signals.
    struct Surroundings: Sendable {
        let ignoredSignals: Set<Int32>
        let descriptors: Set<Int32>

        static let largestDescriptor: Int32 = 4096

        /// Creates a record of the current state.
        ///
        /// - Parameter ignoredBefore: The signals that were ignored when the tool was started, and that it handles now.
        init(ignoredBefore: Set<Int32>) {
            ignoredSignals = SignalRelay.ignored.union(ignoredBefore)
            descriptors = Set(
                (STDERR_FILENO + 1..<Self.largestDescriptor).filter {
                    let flags = fcntl($0, F_GETFD)
                    return flags != -1 && flags & FD_CLOEXEC == 0
                })
        }
    }

    private let processID: pid_t
    private let isRunning = Mutex(true)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: The program, as a path or a name in `PATH`, and its arguments; each ends with a NUL byte.
    ///   - variable: A variable to add to the environment.
    /// - Throws: ``SystemCallError`` if it cannot be started.
    init(
        _ words: [[CChar]], variable: (name: String, value: Secret<String>), in surroundings: Surroundings
    ) throws(SystemCallError) {
        processID = try Self.spawn(
            words, environment: Self.environment(adding: "\(variable.name)=", variable.value.reveal()), surroundings)
        signal_relay_set_child(processID)
    }

    /// Sends a signal.
    ///
    /// - Returns: false if the program has already ended.
    @discardableResult
    func send(_ signal: Int32) -> Bool {
        // Under the lock: a process ID may be reused once its exit status was collected.
        isRunning.withLock { isRunning in
            var ended = siginfo_t()
            guard isRunning, waitid(P_PID, id_t(processID), &ended, WEXITED | WNOHANG | WNOWAIT) == 0, ended.si_signo == 0 else {
                return false
            }
            return signalProcess(processID, signal) == 0
        }
    }

    /// Waits until the program has ended. Must be called once.
    func end() async -> Ending {
        await withCheckedContinuation { continuation in
            // A separate queue, because waiting in a task would block a thread of the concurrency pool.
            DispatchQueue(label: "program \(processID)").async { continuation.resume(returning: self.waitForEnd()) }
        }
    }

    private func waitForEnd() -> Ending {
        while true {
            var information = siginfo_t()
            guard retrying({ waitid(P_PID, id_t(processID), &information, WEXITED | WSTOPPED | WNOWAIT) }) == 0 else { break }
            guard information.si_code == Int32(CLD_STOPPED) else { break }
            stopAlike()
        }
        return isRunning.withLock { isRunning in
            isRunning = false
            signal_relay_set_child(0)
            var status: Int32 = 0
            guard retrying({ waitpid(processID, &status, 0) }) == processID else { return .status(1) }
            let signal = status & 0x7F
            return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
        }
    }

    /// Stops the tool if the program has stopped only itself, as a shell's `suspend` does. The user's shell then gets the terminal back.
    /// When it continues the tool, the program continues, too.
    ///
    /// Ctrl-Z stops both, and the shell continues both.
    private func stopAlike() {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let foreground = tcgetpgrp(terminal)
        if terminal >= 0 { close(terminal) }
        // Not by waitpid, which would also take the ending of a program that has just been killed.
        var stop = siginfo_t()
        let hasStopped = waitid(P_PID, id_t(processID), &stop, WSTOPPED | WNOHANG) == 0 && stop.si_signo != 0
        guard hasStopped, foreground > 0, [getpgrp(), getpgid(processID)].contains(foreground) else { return }
        // For this thread: the next line must not run before the tool is continued.
        raise(SIGSTOP)
        send(SIGCONT)
    }
}

extension ChildProgram.Ending {
    /// Ends this process in the same way, so that its parent cannot tell the difference.
    func adopt() -> Never {
        switch self {
        case .status(let status): exit(status)
        case .signal(let number):
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, number)
            setDefault(number)
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            raise(number)
            _exit(128 + number)
        }
    }
}

extension ChildProgram {
    /// Returns the variables of this process, unchanged, and another one, which replaces any of the same name.
    private static func environment(adding prefix: String, _ value: String) -> [[CChar]] {
        environment().filter { variable in !variable.starts(with: prefix.utf8.map(CChar.init(bitPattern:))) }
            + [Array((prefix + value).utf8CString)]
    }

    /// Returns the variables of this process.
    static func environment() -> [[CChar]] {
        var variables: [[CChar]] = []
        var next = process_environment()
        while let pointer = next?.pointee {
            variables.append(Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer) + 1)))
            next = next?.advanced(by: 1)
        }
        return variables
    }

    /// - Parameters:
    ///   - streams: The descriptors of the standard streams; those of this process if it is empty.
    ///   - isDetached: Whether the program gets its own session, and goes on if no one reads what it writes.
    static func spawn(
        _ words: [[CChar]], environment: [[CChar]], _ surroundings: Surroundings, streams: [Int32] = [], isDetached: Bool = false
    ) throws(SystemCallError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (stream, descriptor) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(stream)) }
        // NIO's sockets are not closed on exec. Closing an unused descriptor is harmless.
        for descriptor in STDERR_FILENO + 1..<Surroundings.largestDescriptor where !surroundings.descriptors.contains(descriptor) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var blocked = sigset_t()
        var handled = sigset_t()
        sigemptyset(&blocked)
        sigfillset(&handled)
        for signal in surroundings.ignoredSignals { sigdelset(&handled, signal) }
        if isDetached { sigaddset(&blocked, SIGPIPE) }
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setsigdefault(&attributes, &handled)
        let session = isDetached ? setsidFlag : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | session)
        var processID: pid_t = 0
        let code = withPointers(words) { words in
            withPointers(environment) { environment in
                words[0].map { posix_spawnp(&processID, $0, &actions, &attributes, words, environment) } ?? ENOENT
            }
        }
        guard code == 0 else { throw SystemCallError(number: code) }
        return processID
    }
}

/// `POSIX_SPAWN_SETSID`, which the C libraries of Linux only declare with their extensions.
private var setsidFlag: Int16 {
    #if canImport(Darwin)
    Int16(POSIX_SPAWN_SETSID)
    #else
    0x80
    #endif
}

/// Calls a closure with pointers to strings that end with a NUL byte, and nil at the end.
private func withPointers<Result>(_ strings: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}

/// Calls `signal(3)`, whose own name is hidden by an enum case.
private func setDefault(_ number: Int32) { signal(number, SIG_DFL) }

/// Calls `kill(2)`, whose own name is hidden by a method.
private func signalProcess(_ processID: pid_t, _ signal: Int32) -> Int32 { kill(processID, signal) }
