extension CredentialStore {
    /// Does the same as ``withLease(on:waitingAtMost:_:)``, for an operation that may throw.
    func withLease<Success: Sendable>(
        on account: CredentialAccount,
        waitingAtMost timeout: Duration,
        trying work: () async throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let lease = try await lease(account, waitingAtMost: timeout)
        let success: Success
        do throws(CredentialStoreError) {
            success = try await work()
        } catch {
            await lease.release()
            throw error
        }
        await lease.release()
        return success
    }
}
