import AuthHubPrimitives
import CredentialStorage
import Logging
import Synchronization

/// Ensures that only one of the sessions and processes that share a store shows the sign-in page of an account at a time.
///
/// This lease is separate from the refresh lease, because a sign-in takes minutes. If a process dies, the system releases its lease.
final class SignInTurn: Sendable {
    private let account: CredentialAccount
    private let store: any CredentialStore
    private let timeout: Duration
    private let logger: Logger?
    private let current: Mutex<CredentialLease?> = Mutex(nil)

    /// - Parameter timeout: How long to wait for another sign-in to finish.
    init(account: CredentialAccount, store: any CredentialStore, timeout: Duration, logger: Logger?) {
        self.account = account
        self.store = store
        self.timeout = timeout
        self.logger = logger
    }

    /// - Throws: ``SessionError`` with `.timedOut`, with the store's `.leaseHeld` as underlying error, if the other sign-in does not finish
    ///   in time; `.cancelledByProgram` if the task is cancelled while it waits.
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

    /// Returns the lease if it is free now; otherwise nil.
    func beginIfFree() async -> CredentialLease? {
        try? await lease(waitingAtMost: .zero)
    }

    /// Ends this session's turn, so that an abandoned sign-in that is still working blocks no other.
    func giveUp() async {
        await current.withLock { $0.take() }?.release()
    }

    private func lease(waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        let lease = try await store.lease(account.signIns, waitingAtMost: timeout)
        current.withLock { $0 = lease }
        return lease
    }
}
