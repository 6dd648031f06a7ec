import AuthHub
import AuthHubPrimitives
import Platform
import Synchronization
import WebAuthentication

/// Opens the page of the device flow in the browser of this machine when the user presses Return.
final class DevicePageKey: Sendable {
    private let opener: any PageOpener
    private let console: Console
    private let reader = Mutex<Task<Void, Never>?>(nil)

    /// Creates the key; nil if there is no user at a terminal, or no browser.
    init?(_ browser: BrowserRequest, _ console: Console) {
        guard console.isInteractive, console.format == .text, isatty(STDIN_FILENO) == 1, let opener = browser.openerHere else { return nil }
        self.opener = opener
        self.console = console
    }

    private static let pollMilliseconds: Int32 = 50

    /// Waits for the key in the background.
    func start(for page: DeviceCode) {
        let url = page.verificationURI.text
        reader.withLock { reader in
            reader = Task {
                while await isPressed() { await open(url) }
            }
        }
    }

    /// Restores the terminal, and returns as soon as others can read from it.
    func stop() async {
        let reader = reader.withLock { $0.take() }
        reader?.cancel()
        await reader?.value
    }

    private func open(_ url: String) async {
        do throws(WebAuthenticationError) {
            try await opener.open(url)
        } catch {
            console.warn("the page did not open: \(error.message)")
        }
    }

    /// Returns whether the key was pressed before the task was cancelled, or the terminal closed.
    private func isPressed() async -> Bool {
        await untilCancelled { Self.waitForKey(until: $0) }
    }

    private static func waitForKey(until cancellation: CancellationFlag) -> Bool {
        guard let terminal = RawTerminal() else { return false }
        defer { RawTerminal.restore() }
        while let input = terminal.next(until: cancellation, every: pollMilliseconds) {
            if case .byte(let byte) = input, byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { return true }
        }
        return false
    }
}
