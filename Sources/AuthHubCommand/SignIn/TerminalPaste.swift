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

/// Takes the callback from the person's terminal: the key p, and then the address, which is not shown since it holds the code.
///
/// The terminal is read key by key meanwhile, because a line of its own editing ends at 4,095 bytes, and long addresses would be cut.
struct TerminalPaste: Sendable {
    private let console: Console
    private let asksAtOnce: Bool
    private let isPinPage: Bool

    /// nil where no person sits at a terminal.
    ///
    /// - Parameters:
    ///   - asksAtOnce: Whether to ask without waiting for the key.
    ///   - isPinPage: Whether the text of a page is what is to be pasted, in place of its address.
    init?(_ console: Console, asksAtOnce: Bool = false, isPinPage: Bool = false) {
        self.asksAtOnce = asksAtOnce
        self.isPinPage = isPinPage
        guard console.isInteractive, console.format == .text, isatty(STDIN_FILENO) == 1 else { return nil }
        self.console = console
    }

    /// How long the cancelled reading may go on; the terminal is put back after it.
    private static let pollMilliseconds: Int32 = 50

    var prompt: PastePrompt { { problem in await ask(problem) } }

    /// Waits for the key, unless the person has begun to paste already, and reads the address.
    ///
    /// - Returns: nil where the task is cancelled or the terminal is gone.
    private func ask(_ problem: String?) async -> Secret<String>? {
        let cancellation = CancellationFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "terminal").async {
                    continuation.resume(returning: read(after: problem, until: cancellation))
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    private func read(after problem: String?, until cancellation: CancellationFlag) -> Secret<String>? {
        guard let terminal = RawTerminal() else { return nil }
        defer { RawTerminal.restore() }
        // Before the question: an address may be pasted as soon as that is seen.
        terminal.hide()
        if let problem { console.say("\(console.style("Not accepted:", .yellow)) \(problem).") }
        var isAsked = problem != nil || asksAtOnce
        while !cancellation.isSet {
            var line = TypedLine()
            if !isAsked {
                guard let begun = waitForKey(terminal, until: cancellation) else { return nil }
                line = begun
            }
            askForAddress()
            if let address = finish(&line, terminal, until: cancellation) { return address }
            isAsked = false
        }
        return nil
    }

    private func askForAddress() {
        let what = isPinPage ? "what the page shows" : "the URL that the browser was redirected to"
        console.say("Paste \(what), then press Return; it is not shown. Press Return alone to keep waiting.")
    }

    /// - Returns: What of the address was pasted before the person was asked for it, which most addresses have a p in; nil at the end.
    private func waitForKey(_ terminal: RawTerminal, until cancellation: CancellationFlag) -> TypedLine? {
        var atOnce: [UInt8] = []
        while let input = terminal.next(until: cancellation, every: Self.pollMilliseconds) {
            guard case .byte(let key) = input else {
                atOnce.removeAll()
                continue
            }
            atOnce.append(key)
            if key == UInt8(ascii: "p") || key == UInt8(ascii: "P") { return TypedLine(atOnce.count == 1 ? [] : atOnce) }
            // Nobody types as fast as a paste comes.
            if !terminal.hasMore || atOnce.count > TypedLine.maximumBytes { atOnce.removeAll() }
        }
        return nil
    }

    /// - Returns: nil for an empty line, too.
    private func finish(_ line: inout TypedLine, _ terminal: RawTerminal, until cancellation: CancellationFlag) -> Secret<String>? {
        while let input = terminal.next(until: cancellation, every: Self.pollMilliseconds) {
            switch input {
            case .byte(let byte):
                if case .ended(let address) = line.take(byte) { return address }
            case .resumed:
                line = TypedLine()
                askForAddress()
            }
        }
        // The rest of a paste that has begun is not for the shell to run and to remember.
        if !line.isEmpty { terminal.discardInput() }
        return nil
    }
}
