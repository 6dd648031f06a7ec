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

    /// nil where no person sits at a terminal.
    init?(_ console: Console) {
        guard console.isInteractive, console.format == .text, isatty(STDIN_FILENO) == 1 else { return nil }
        self.console = console
    }

    /// The longest address that is read.
    private static let maximumBytes = 64 * 1024
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
        if let problem {
            console.say("\(console.style("Not taken:", .yellow)) \(problem).")
        } else {
            guard waitForKey(terminal, until: cancellation) else { return nil }
        }
        console.say("Paste the address that the browser ended at, then press Return; it is not shown. An empty line goes on waiting.")
        return readLine(terminal, until: cancellation) ?? (cancellation.isSet ? nil : read(after: nil, until: cancellation))
    }

    private func waitForKey(_ terminal: RawTerminal, until cancellation: CancellationFlag) -> Bool {
        while let key = terminal.nextByte(until: cancellation, every: Self.pollMilliseconds) {
            if key == UInt8(ascii: "p") || key == UInt8(ascii: "P") { return true }
        }
        return false
    }

    private func readLine(_ terminal: RawTerminal, until cancellation: CancellationFlag) -> Secret<String>? {
        var line: [UInt8] = []
        while let byte = terminal.nextByte(until: cancellation, every: Self.pollMilliseconds) {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return line.isEmpty ? nil : Secret(String(decoding: line, as: UTF8.self))
            case 0x7F, 0x08: _ = line.popLast()
            case 0x15: line.removeAll()
            default: if line.count < Self.maximumBytes { line.append(byte) }
            }
        }
        return nil
    }
}
