import AuthHubPrimitives
import Dispatch
import WebAuthentication

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program jq, as found in `PATH`. It gets the text to filter, and neither a token nor the tool's own variables.
struct JQFilter: Sendable {
    private let expression: String
    private let path: String

    /// Creates a filter.
    ///
    /// - Throws: ``Failure`` if jq is not installed.
    init(_ expression: String) throws(Failure) {
        guard let path = processEnvironment().findProgram("jq") else {
            throw Self.failure("--jq needs the program jq, which is not in PATH", hint: "install jq, or leave out --jq")
        }
        self.expression = expression
        self.path = path
    }

    /// Returns what jq writes; strings are written without quotation marks. jq's own messages appear on standard error.
    ///
    /// - Throws: ``Failure`` if jq fails.
    func output(for input: [UInt8]) async throws(Failure) -> [UInt8] {
        let source = try Self.openPipe()
        let sink = try Self.openPipe()
        defer { close(sink.read) }
        let process: BrowserProcess
        do {
            defer {
                close(source.read)
                close(sink.write)
            }
            // The space separates an expression that begins with a minus sign from options; jq 1.6 does not understand “--” here.
            process = try BrowserProcess(
                path: "/bin/sh", arguments: ["sh", "-c", #"exec "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-"#, "sh", path, "-r", " \(expression)"],
                environment: processEnvironment(), descriptors: [source.read, sink.write, STDERR_FILENO])
        } catch {
            close(source.write)
            throw Self.failure("jq cannot be started: \(error)", hint: "leave out --jq")
        }
        // On its own queue: jq may wait for its output to be read before it reads more.
        DispatchQueue(label: "jq").async { Self.write(input, andClose: source.write) }
        guard let output = Self.contents(of: sink.read) else {
            process.terminate()
            throw .interrupted
        }
        guard await process.exit == .status(0) else {
            throw Self.failure("jq failed", hint: "correct the expression of --jq; see man jq")
        }
        return output
    }
}

extension JQFilter {
    private static func openPipe() throws(Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure("jq cannot be started: \(SystemCallError.last())", hint: "leave out --jq") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Writes the input as far as jq reads it.
    private static func write(_ input: [UInt8], andClose descriptor: Int32) {
        defer { close(descriptor) }
        var rest = input[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            guard count >= 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Returns all bytes; nil if the task is cancelled.
    private static func contents(of descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !Task.isCancelled {
            guard poll(&interest, 1, 100) > 0 else { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
        }
        return nil
    }

    private static func failure(_ message: String, hint: String) -> Failure { Failure("jq_failed", .failed, message, hint: hint) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
