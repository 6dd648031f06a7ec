package import AuthHubPrimitives
import Platform

import Dispatch
import Synchronization

/// A browser, a program that opens one, or another program such as git, in a separate process: in its own process group, so that Ctrl-C
/// does not reach it, and without our standard streams, so that its output cannot mix with ours.
package final class BrowserProcess: Sendable {
    package enum Exit: Sendable, Hashable {
        case status(Int32)
        case signal(Int32)
        /// It ended, but other code has collected its exit status.
        case unknown
    }

    let processID: pid_t
    private let endsGroup: Bool
    private let ending = OneTimeValue<Exit>()
    private let isRunning = Mutex(true)

    /// The exit status; waits until the process has ended. A separate thread waits for it, so that it never remains as a zombie.
    package var exit: Exit {
        get async { await ending.value }
    }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - path: The program, as an absolute path.
    ///   - arguments: All arguments, with the program's name first.
    ///   - environment: The variables to pass on; those that are not inheritable are removed.
    ///   - endsGroup: Whether its child processes end with it; not if it only passes a page to a browser.
    ///   - descriptors: Become its descriptors 3, 4 and so on; apart from these, it only gets empty standard streams.
    /// - Throws: ``SystemCallError`` if it could not be started.
    package init(
        path: String, arguments: [String], environment: [String: String], endsGroup: Bool = false, descriptors: [Int32] = []
    ) throws(SystemCallError) {
        self.endsGroup = endsGroup
        processID = try Self.spawn(
            path: path, arguments: arguments, environment: environment.inheritable.map { "\($0)=\($1)" }, descriptors: descriptors)
        // A separate queue, because waiting in a task would block a thread of the concurrency pool.
        DispatchQueue(label: "browser \(processID)").async { self.waitForExit() }
    }

    /// Asks the process to end.
    package func terminate() {
        send(SIGTERM, to: processID)
    }

    /// Kills the process and all others in its group.
    func kill() {
        send(SIGKILL, to: -processID)
    }

    private func send(_ signal: Int32, to processID: pid_t) {
        // Under the lock: a process ID may be reused once its exit status was collected.
        isRunning.withLock { isRunning in
            if isRunning { _ = signalProcess(processID, signal) }
        }
    }

    private func waitForExit() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        // Its status was not collected yet, so its ID, and that of the group, cannot belong to another process.
        if endsGroup { kill() }
        let exit: Exit = isRunning.withLock { isRunning in
            isRunning = false
            var status: Int32 = 0
            guard waitpid(processID, &status, WNOHANG) == processID else { return .unknown }
            let signal = status & 0x7F
            return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
        }
        ending.settle(exit)
    }

    private static func spawn(
        path: String, arguments: [String], environment: [String], descriptors: [Int32]
    ) throws(SystemCallError) -> pid_t {
        // Above the numbers that the process gets, so that none is overwritten before it is passed on.
        var sources: [Int32] = []
        defer { sources.forEach { close($0) } }
        for descriptor in descriptors {
            let source = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + Int32(descriptors.count))
            guard source >= 0 else { throw SystemCallError.last() }
            sources.append(source)
        }
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
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        for (index, source) in sources.enumerated() { posix_spawn_file_actions_adddup2(&actions, source, STDERR_FILENO + 1 + Int32(index)) }
        closeEverything(from: STDERR_FILENO + 1 + Int32(sources.count), &actions)
        var none = sigset_t()
        var ignoredHere = sigset_t()
        sigemptyset(&none)
        sigemptyset(&ignoredHere)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD] { sigaddset(&ignoredHere, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ignoredHere)
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var processID: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&processID, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemCallError(number: code) }
        return processID
    }
}

#if canImport(Darwin)
/// Does nothing, because `POSIX_SPAWN_CLOEXEC_DEFAULT` does it here.
private func closeEverything(from first: Int32, _ actions: inout posix_spawn_file_actions_t?) {}
#else
/// Closes all descriptors except those passed on: NIO's sockets are not closed on exec, and a browser that inherited the listener would
/// hold the port for as long as it runs. One by one, because `closefrom` needs a newer C library; closing an unused descriptor is harmless.
private func closeEverything(from first: Int32, _ actions: inout posix_spawn_file_actions_t) {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    let end = (64...4096).contains(limit) ? Int32(limit) : 4096
    for descriptor in first..<end {
        posix_spawn_file_actions_addclose(&actions, descriptor)
    }
}
#endif

/// Calls `kill(2)`, whose own name is hidden by a method.
private func signalProcess(_ processID: pid_t, _ signal: Int32) -> Int32 { kill(processID, signal) }
