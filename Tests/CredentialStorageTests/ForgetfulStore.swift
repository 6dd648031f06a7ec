import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport

/// A store that reports success but stores nothing.
struct ForgetfulStore: CredentialStore {
    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? { nil }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        .stored(.unique())
    }

    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool { true }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { [] }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        CredentialLease {}
    }
}
