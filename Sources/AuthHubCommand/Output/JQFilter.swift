import AuthHubPrimitives
import Dispatch
import Platform
import WebAuthentication

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

    /// Returns what jq writes; strings are written without quotation marks. jq's own messages may repeat the input, so they are shown as
    /// external text; or with the failure, if that is JSON.
    ///
    /// - Throws: ``Failure`` if jq fails.
    func output(for input: [UInt8], _ console: Console) async throws(Failure) -> [UInt8] {
        let source = try Self.openPipe()
        let sink = try Self.openPipe()
        let messages = try Self.openPipe()
        defer {
            close(sink.read)
            close(messages.read)
        }
        let process: BrowserProcess
        do {
            defer {
                close(source.read)
                close(sink.write)
                close(messages.write)
            }
            // The space separates an expression that begins with a minus sign from options; jq 1.6 does not understand “--” here.
            process = try BrowserProcess(
                path: "/bin/sh", arguments: ["sh", "-c", #"exec "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-"#, "sh", path, "-r", " \(expression)"],
                environment: processEnvironment(), descriptors: [source.read, sink.write, messages.write])
        } catch {
            close(source.write)
            throw Self.failure("jq cannot be started: \(error)", hint: "leave out --jq")
        }
        // On its own queue: jq may wait for its output to be read before it reads more.
        DispatchQueue(label: "jq").async { Self.write(input, andClose: source.write) }
        guard let (output, text) = Self.contents(of: sink.read, messages: messages.read) else {
            process.terminate()
            throw .interrupted
        }
        if !text.isEmpty, console.format == .text { console.say(TerminalText.quoted(text)) }
        guard await process.exit == .status(0) else {
            let detail = text.isEmpty || console.format == .text ? "" : ": \(escaped(text, limit: Self.messageLimit))"
            throw Self.failure("jq failed\(detail)", hint: "correct the expression of --jq; see man jq")
        }
        return output
    }

    /// The length of jq's messages in bytes. The rest is left out.
    private static let messageLimit = 4096
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
        // If jq ends early, the write must fail instead of ending the tool. The network library ignores the signal, too.
        signal(SIGPIPE, SIG_IGN)
        defer { close(descriptor) }
        var rest = input[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            guard count >= 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Returns all bytes of the output, and the beginning of the messages without line breaks at the end; nil if the task is cancelled.
    private static func contents(of output: Int32, messages: Int32) -> (output: [UInt8], messages: String)? {
        var bytes: [[UInt8]] = [[], []]
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        // poll(2) ignores a negative descriptor.
        var interests = [output, messages].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while interests.contains(where: { $0.fd >= 0 }) {
            guard !Task.isCancelled else { return nil }
            guard poll(&interests, nfds_t(interests.count), 100) > 0 else { continue }
            for index in interests.indices where interests[index].fd >= 0 && interests[index].revents != 0 {
                let count = read(interests[index].fd, &buffer, buffer.count)
                if count > 0 {
                    let limit = index == 0 ? count : max(0, messageLimit + 1 - bytes[index].count)
                    bytes[index] += buffer[..<count].prefix(limit)
                } else if count == 0 || errno != EINTR {
                    interests[index].fd = -1
                }
            }
        }
        let text = String(decoding: bytes[1].prefix(messageLimit), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: "\n")
        return (bytes[0], bytes[1].count > messageLimit ? lines + "…" : lines)
    }

    private static func failure(_ message: String, hint: String) -> Failure { Failure("jq_failed", .failed, message, hint: hint) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
