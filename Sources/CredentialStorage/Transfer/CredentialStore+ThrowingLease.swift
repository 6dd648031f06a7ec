extension CredentialStore {
    /// As ``withLease(on:waitingAtMost:_:)``, for work that may fail.
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
