import AuthHubPrimitives
import Platform
import WebAuthentication

/// A prompt that reads the callback from the user's terminal: the key p, and then the URL, which is not echoed because it contains the
/// code.
///
/// The terminal is read key by key, because its own line editing is limited to 4,095 bytes, and long URLs would be cut.
struct TerminalPaste: Sendable {
    private let console: Console
    private let asksAtOnce: Bool
    private let isPinPage: Bool

    /// Creates a prompt; nil if there is no user at a terminal.
    ///
    /// - Parameters:
    ///   - asksAtOnce: Whether to ask without waiting for the key.
    ///   - isPinPage: Whether the user pastes the text of a page instead of its URL.
    init?(_ console: Console, asksAtOnce: Bool = false, isPinPage: Bool = false) {
        self.asksAtOnce = asksAtOnce
        self.isPinPage = isPinPage
        guard console.isInteractive, console.format == .text, isatty(STDIN_FILENO) == 1 else { return nil }
        self.console = console
    }

    /// How long a cancelled read may continue; after it, the terminal is restored.
    private static let pollMilliseconds: Int32 = 50

    private enum Input: Sendable {
        case address(Secret<String>)
        /// Ctrl-D.
        case endOfInput
    }

    var prompt: PastePrompt {
        { problem async throws(WebAuthenticationError) in
            switch await ask(problem) {
            case .address(let address): return address
            case .endOfInput: throw WebAuthenticationError(.cancelledByUser, "Ctrl-D was pressed and nothing was pasted")
            case nil: return nil
            }
        }
    }

    /// Waits for the key, unless the user has already started to paste, and reads the URL.
    ///
    /// - Returns: nil if the task is cancelled or the terminal is closed.
    private func ask(_ problem: String?) async -> Input? {
        await untilCancelled { read(after: problem, until: $0) }
    }

    private func read(after problem: String?, until cancellation: CancellationFlag) -> Input? {
        guard let terminal = RawTerminal() else { return nil }
        defer { RawTerminal.restore() }
        // Before the question: the user may paste a URL as soon as it is visible.
        terminal.hide()
        if let problem { console.say("\(console.style("Not accepted:", .yellow)) \(problem).") }
        var isAsked = problem != nil || asksAtOnce
        while !cancellation.isSet {
            var line = TypedLine()
            if !isAsked {
                switch waitForKey(terminal, until: cancellation) {
                case .pressed(let begun): line = begun
                case .endOfInput: return .endOfInput
                case nil: return nil
                }
            }
            askForAddress()
            if let input = finish(&line, terminal, until: cancellation) { return input }
            isAsked = false
        }
        return nil
    }

    private func askForAddress() {
        let what = isPinPage ? "what the page shows" : "the URL that the browser was redirected to"
        console.say("Paste \(what), then press Return; it is not shown. Press Return alone to keep waiting, or Ctrl-D to cancel.")
    }

    private enum Key {
        /// With the part of the URL that was pasted before the question, because most URLs contain a p.
        case pressed(TypedLine)
        /// Ctrl-D.
        case endOfInput
    }

    /// Waits for the key; nil if the task is cancelled or the terminal is closed.
    private func waitForKey(_ terminal: RawTerminal, until cancellation: CancellationFlag) -> Key? {
        var atOnce: [UInt8] = []
        while let input = terminal.next(until: cancellation, every: Self.pollMilliseconds) {
            guard case .byte(let key) = input else {
                atOnce.removeAll()
                continue
            }
            atOnce.append(key)
            if key == UInt8(ascii: "p") || key == UInt8(ascii: "P") { return .pressed(TypedLine(atOnce.count == 1 ? [] : atOnce)) }
            if key == TypedLine.endOfInput, atOnce.count == 1 { return .endOfInput }
            // No one types as fast as a paste arrives.
            if !terminal.hasMore || atOnce.count > TypedLine.maximumBytes { atOnce.removeAll() }
        }
        return nil
    }

    /// Reads the rest of the line.
    ///
    /// - Returns: nil for an empty line, too.
    private func finish(_ line: inout TypedLine, _ terminal: RawTerminal, until cancellation: CancellationFlag) -> Input? {
        while let input = terminal.next(until: cancellation, every: Self.pollMilliseconds) {
            switch input {
            case .byte(let byte):
                if byte == TypedLine.endOfInput, line.isEmpty { return .endOfInput }
                if case .ended(let address) = line.take(byte) { return address.map(Input.address) }
            case .resumed:
                line = TypedLine()
                askForAddress()
            }
        }
        // The shell must not run or record the rest of a paste.
        if !line.isEmpty { terminal.discardInput() }
        return nil
    }
}
