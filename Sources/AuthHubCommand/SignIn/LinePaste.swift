import AuthHubPrimitives
import Platform
import WebAuthentication

/// A prompt that reads the callback from standard input if that is not a terminal: one line each.
struct LinePaste: Sendable {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    private static let pollMilliseconds: Int32 = 50

    var prompt: PastePrompt { { problem in await ask(problem) } }

    /// Reads a line.
    ///
    /// - Returns: nil if the task is cancelled or the input has ended.
    private func ask(_ problem: String?) async -> Secret<String>? {
        if let problem { console.say("\(console.style("Not accepted:", .yellow)) \(problem).") }
        return await untilCancelled { Self.line(until: $0) }
    }

    private static func line(until cancellation: CancellationFlag) -> Secret<String>? {
        var line: [UInt8] = []
        while !cancellation.isSet {
            var interest = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&interest, 1, pollMilliseconds) > 0 else { continue }
            var byte: UInt8 = 0
            guard systemRead(&byte) == 1 else { return line.isEmpty ? nil : Secret(String(decoding: line, as: UTF8.self)) }
            if byte == UInt8(ascii: "\n") {
                if !line.isEmpty { return Secret(String(decoding: line, as: UTF8.self)) }
            } else if line.count <= TypedLine.maximumBytes {
                line.append(byte)
            }
        }
        return nil
    }
}

private func systemRead(_ byte: inout UInt8) -> Int {
    read(STDIN_FILENO, &byte, 1)
}
