import Dispatch
import Platform
import Synchronization
import WebAuthentication

/// A program that runs alongside the test, with its output and its exit status.
final class ChildProcess: Sendable {
    enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    struct Output: Sendable {
        fileprivate(set) var standardOutput: [UInt8] = []
        fileprivate(set) var standardError: [UInt8] = []
        fileprivate(set) var ending: Ending?

        var text: String { String(decoding: standardOutput, as: UTF8.self) }
        var errorText: String { String(decoding: standardError, as: UTF8.self) }
        /// The exit status; nil if the program is running, or was ended by a signal.
        var status: Int32? { if case .status(let status) = ending { status } else { nil } }
    }

    private struct State {
        var output = Output()
        var waiters: [(condition: @Sendable (Output) -> Bool, continuation: CheckedContinuation<Output, Never>)] = []
    }

    struct CannotStart: Error {
        let path: String
        let code: Int32
    }

    let processID: pid_t
    private let state = Mutex(State())

    /// - Parameter input: The bytes on standard input, which must be few enough for the buffer of a pipe.
    init(_ path: String, _ arguments: [String], environment: [String: String], input: [UInt8] = []) throws {
        let streams = try (Pipe(), Pipe(), Pipe())
        processID = try Self.spawn(path, arguments, environment, streams)
        for descriptor in [streams.0.readEnd, streams.1.writeEnd, streams.2.writeEnd] { close(descriptor) }
        _ = input.withUnsafeBytes { writeIfRead($0, to: streams.0.writeEnd) }
        close(streams.0.writeEnd)
        // Use separate threads, because reading blocks, and the tests share a small thread pool.
        DispatchQueue(label: "child \(processID)").async { [self] in follow(streams.1.readEnd, streams.2.readEnd) }
    }

    func send(_ signal: Int32) {
        state.withLock { state in
            if state.output.ending == nil { kill(processID, signal) }
        }
    }

    /// Waits until the output meets the condition, or the program has ended.
    func wait(until condition: @escaping @Sendable (Output) -> Bool) async -> Output {
        await withCheckedContinuation { continuation in
            let output = state.withLock { state -> Output? in
                if state.output.ending != nil || condition(state.output) { return state.output }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let output { continuation.resume(returning: output) }
        }
    }

    func end() async -> Output {
        await wait { _ in false }
    }
}

extension ChildProcess {
    private struct Pipe {
        let readEnd: Int32
        let writeEnd: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            #if canImport(Darwin)
            guard pipe(&ends) == 0 else { throw CannotStart(path: "pipe", code: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            #else
            // Created with close-on-exec. Otherwise, a program that another test starts in the meantime would keep the pipe open.
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CannotStart(path: "socketpair", code: errno) }
            #endif
            (readEnd, writeEnd) = (ends[0], ends[1])
        }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], _ streams: (Pipe, Pipe, Pipe)
    ) throws -> pid_t {
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
        posix_spawn_file_actions_adddup2(&actions, streams.0.readEnd, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, streams.1.writeEnd, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, streams.2.writeEnd, STDERR_FILENO)
        #if !canImport(Darwin)
        // Otherwise, if the program inherited the socket of another test's server, it would occupy the port while it runs.
        for descriptor in STDERR_FILENO + 1..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        #endif
        // The test runner may block or ignore signals. The program must get the signals as if a shell had started it.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var processID: pid_t = 0
        let code = withCStrings([path] + arguments) { words in
            withCStrings(environment.map { "\($0)=\($1)" }) { posix_spawn(&processID, path, &actions, &attributes, words, $0) }
        }
        guard code == 0 else { throw CannotStart(path: path, code: code) }
        return processID
    }

    private func follow(_ output: Int32, _ errors: Int32) {
        var open = [pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while open.contains(where: { $0.fd >= 0 }) {
            guard poll(&open, nfds_t(open.count), -1) >= 0 || errno == EINTR else { break }
            for index in open.indices where open[index].fd >= 0 && open[index].revents != 0 {
                let count = read(open[index].fd, &buffer, buffer.count)
                guard count > 0 else {
                    close(open[index].fd)
                    open[index].fd = -1
                    continue
                }
                let bytes = buffer[..<count]
                change { index == 0 ? $0.standardOutput.append(contentsOf: bytes) : $0.standardError.append(contentsOf: bytes) }
            }
        }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        change { $0.ending = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal) }
    }

    private func change(_ body: (inout Output) -> Void) {
        let (output, ready) = state.withLock { state in
            body(&state.output)
            let output = state.output
            let ready = state.waiters.filter { output.ending != nil || $0.condition(output) }
            state.waiters.removeAll { output.ending != nil || $0.condition(output) }
            return (output, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: output) }
    }
}

/// Writes to a program that may have ended, without the signal that would end the tests.
private func writeIfRead(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    #if canImport(Darwin)
    _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    return write(descriptor, bytes.baseAddress, bytes.count)
    #else
    return send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
