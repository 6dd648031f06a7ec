import AuthHubPrimitives
import CredentialStorage
import Logging
import Synchronization

/// Whose turn it is to show the sign-in page of an account, among all sessions and processes that share its store.
///
/// The lease is not the one of refreshes: a sign-in takes minutes. The system frees that of a process that died.
final class SignInTurn: Sendable {
    private let account: CredentialAccount
    private let store: any CredentialStore
    private let timeout: Duration
    private let logger: Logger?
    private let current: Mutex<CredentialLease?> = Mutex(nil)

    /// - Parameter timeout: How long to wait for the one whose turn it is.
    init(account: CredentialAccount, store: any CredentialStore, timeout: Duration, logger: Logger?) {
        self.account = account
        self.store = store
        self.timeout = timeout
        self.logger = logger
    }

    /// - Throws: ``SessionError`` with `.timedOut`, and the store's `.leaseHeld` underneath, where the other sign-in does not end;
    ///   `.cancelledByProgram` where the task is cancelled meanwhile.
    func begin() async throws(SessionError) -> CredentialLease {
        do throws(CredentialStoreError) {
            return try await lease(waitingAtMost: .zero)
        } catch  where error.code == .leaseHeld {
            let other = error.leaseHolder.map { "process \($0)" } ?? "another task or process"
            logger?.notice("\(other) is signing in to this account or renaming it; waiting for it to finish")
        } catch {
            throw SessionError(error)
        }
        do throws(CredentialStoreError) {
            return try await lease(waitingAtMost: timeout)
        } catch  where error.code == .leaseHeld {
            let other = error.leaseHolder.map { "process \($0)" } ?? "another task or process"
            throw SessionError(
                .timedOut,
                "\(other) has been signing in to this account or renaming it for longer than \(timeout.inWords); finish or cancel it there",
                underlying: error)
        } catch {
            throw SessionError(error)
        }
    }

    /// The lease, where it is free at this moment.
    func beginIfFree() async -> CredentialLease? {
        try? await lease(waitingAtMost: .zero)
    }

    /// Ends this session's turn: what a sign-in that was given up still does holds up nobody.
    func giveUp() async {
        await current.withLock { $0.take() }?.release()
    }

    private func lease(waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        let lease = try await store.lease(account.signIns, waitingAtMost: timeout)
        current.withLock { $0 = lease }
        return lease
    }
}
