import AuthHubPrimitives
import Platform

/// A line that the user types and sees.
///
/// The tool shows the typed characters itself, up to the end of the line: the terminal would also show the following lines of a paste,
/// which may contain the client's secret.
enum ShownLine {
    /// Blocks the calling thread until the line ends. Lines that were pasted after it are discarded, so that no shell runs or records them.
    ///
    /// - Parameter ask: Shows the question; called again if the process was stopped.
    /// - Returns: The line, and whether more was pasted; nil if it was interrupted, or there is no terminal.
    static func read(_ ask: () -> Void) -> (text: String, hasMore: Bool)? {
        guard let terminal = RawTerminal() else { return nil }
        // Before the question: the user may respond as soon as it is visible.
        terminal.hide()
        defer { RawTerminal.restore() }
        ask()
        var line = TypedLine()
        while let input = terminal.next(until: HiddenLine.interruption, every: HiddenLine.pollMilliseconds) {
            guard case .byte(let byte) = input else {
                line = TypedLine()
                ask()
                continue
            }
            let shown = line.shown
            if case .ended(let text) = line.take(byte) {
                let hasMore = terminal.hasMore
                terminal.discardInput()
                write("\n")
                return (text?.reveal() ?? "", hasMore)
            }
            show(line.shown, over: shown)
        }
        return nil
    }

    private static func show(_ new: [Character], over old: [Character]) {
        let count = zip(new, old).prefix { $0 == $1 }.count
        write(String(repeating: "\u{8} \u{8}", count: old.count - count) + String(new[count...]))
    }

    private static func write(_ text: String) {
        if !text.isEmpty { _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO) }
    }
}
