import AuthHubPrimitives
import Synchronization

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
    private static let staysHidden = StaticMutex(false)

    /// Whether there is somebody to ask.
    static var canAsk: Bool { isatty(STDERR_FILENO) == 1 && RawTerminal() != nil }

    /// Blocks the calling thread until the line ends, or the command is interrupted.
    ///
    /// After a line, the terminal stays hidden until ``finish()``: the user may go on typing while the caller checks the line.
    ///
    /// - Parameter discardsInput: Whether what was typed before the question is no response to it.
    /// - Returns: nil where there is no terminal, the line is empty, or it was interrupted.
    static func read(_ question: String, discardsInput: Bool = false) -> Secret<String>? {
        guard let terminal = RawTerminal() else { return nil }
        // Before the question: an answer may come as soon as that is seen.
        terminal.hide()
        if discardsInput { terminal.discardInput() }
        ask(question)
        var line = TypedLine()
        while let input = terminal.next(until: interruption, every: pollMilliseconds) {
            switch input {
            case .byte(let byte):
                guard case .ended(let text) = line.take(byte) else { continue }
                staysHidden.withLock { $0 = true }
                if text == nil { finish() }
                return text
            case .resumed:
                line = TypedLine()
                ask(question)
            }
        }
        RawTerminal.restore()
        return nil
    }

    /// Shows again what is typed, if a line was read.
    static func finish() {
        let isHidden = staysHidden.withLock { staysHidden in
            defer { staysHidden = false }
            return staysHidden
        }
        if isHidden { RawTerminal.restore() }
    }

    private static func ask(_ question: String) {
        _ = StandardStreams.write(Array("\(question) (it is not shown):\n".utf8), to: STDERR_FILENO)
    }
}
