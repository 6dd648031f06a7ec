import CredentialStorage
import Logging

/// Whose turn it is to show the sign-in page of an account, among all sessions and processes that share its store.
///
/// The lease is not the one of refreshes: a sign-in takes minutes. The system frees that of a process that died.
struct SignInTurn: Sendable {
    let account: CredentialAccount
    let store: any CredentialStore
    /// How long to wait for the one whose turn it is.
    let timeout: Duration
    let logger: Logger?

    /// - Throws: ``SessionError`` with `.timedOut`, and the store's `.leaseHeld` underneath, where the other sign-in does not end;
    ///   `.cancelledByProgram` where the task is cancelled meanwhile.
    func begin() async throws(SessionError) -> CredentialLease {
        do throws(CredentialStoreError) {
            return try await lease(waitingAtMost: .zero)
        } catch  where error.code == .leaseHeld {
            let other = error.leaseHolder.map { "process \($0)" } ?? "another task or process"
            logger?.notice("\(other) is signing in to this account; waiting for it")
        } catch {
            throw SessionError(error)
        }
        do throws(CredentialStoreError) {
            return try await lease(waitingAtMost: timeout)
        } catch  where error.code == .leaseHeld {
            let other = error.leaseHolder.map { "process \($0)" } ?? "another task or process"
            throw SessionError(
                .timedOut, "\(other) has been signing in to this account for longer than \(timeout); finish that sign-in, or end it",
                underlying: error)
        } catch {
            throw SessionError(error)
        }
    }

    /// The lease, where it is free at this moment.
    func beginIfFree() async -> CredentialLease? {
        try? await lease(waitingAtMost: .zero)
    }

    private func lease(waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account.signIns, waitingAtMost: timeout)
    }
}
