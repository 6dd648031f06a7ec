import AuthHubPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A line that a person types without seeing it.
enum HiddenLine {
    /// Set when the command is interrupted: whoever reads here blocks a thread, and hears of nothing else.
    static let interruption = CancellationFlag()
    private static let pollMilliseconds: Int32 = 50

    /// Whether there is somebody to ask.
    static var canAsk: Bool { isatty(STDERR_FILENO) == 1 && RawTerminal() != nil }

    /// Blocks the calling thread until the line ends, or the command is interrupted.
    ///
    /// - Returns: nil where there is no terminal, the line is empty, or it was interrupted.
    static func read(_ question: String) -> Secret<String>? {
        guard canAsk, let terminal = RawTerminal() else { return nil }
        defer { RawTerminal.restore() }
        // Before the question: an answer may come as soon as that is seen.
        terminal.hide()
        _ = StandardStreams.write(Array("\(question) (it is not shown):\n".utf8), to: STDERR_FILENO)
        var line = TypedLine()
        while let byte = terminal.nextByte(until: interruption, every: pollMilliseconds) {
            if case .ended(let text) = line.take(byte) { return text }
        }
        return nil
    }
}
