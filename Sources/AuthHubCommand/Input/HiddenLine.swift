import AuthHubPrimitives
import Platform
import Synchronization

/// A line that the user types without seeing it.
enum HiddenLine {
    /// Set when the command is interrupted: a reader blocks its thread, and is not notified in any other way.
    static let interruption = CancellationFlag()
    static let pollMilliseconds: Int32 = 50
    private static let staysHidden = StaticMutex(false)

    /// Whether there is a user to ask.
    static var canAsk: Bool { isatty(STDERR_FILENO) == 1 && RawTerminal() != nil }

    /// Blocks the calling thread until the line ends, or the command is interrupted.
    ///
    /// After a line, the terminal stays hidden until ``finish()``: the user may go on typing while the caller checks the line.
    ///
    /// - Parameter discardsInput: Whether input that was typed before the question is discarded.
    /// - Returns: nil if there is no terminal, the line is empty, or it was interrupted.
    static func read(_ question: String, discardsInput: Bool = false) -> Secret<String>? {
        guard let terminal = RawTerminal() else { return nil }
        // Before the question: the user may respond as soon as it is visible.
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

    /// Shows typed characters again, if a line was read.
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
