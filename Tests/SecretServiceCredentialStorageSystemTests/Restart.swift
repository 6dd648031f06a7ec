import Dispatch
import Synchronization

/// Restarts the service of a keyring during a call that blocks the caller's thread.
final class Restart: Sendable {
    private let keyring: PrivateKeyring
    private let state = Mutex(false)

    init(_ keyring: PrivateKeyring) {
        self.keyring = keyring
    }

    var hasBeen: Bool { state.withLock { $0 } }

    func once() {
        let isFirst = state.withLock { state in
            defer { state = true }
            return !state
        }
        if isFirst { try? keyring.runNow("end_daemon; start_unlocked") }
    }
}
