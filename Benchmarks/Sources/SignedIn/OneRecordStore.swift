package import AuthHubPrimitives
package import CredentialStorage

/// A store that returns the same record for every account, or none, and drops written records, to measure the cost of sessions, not of a
/// store. Only the sign-ins in progress are stored, because they are read again. It does not report changes.
package struct OneRecordStore: CredentialStore {
    package let record: [UInt8]?
    private let signIns = MemoryCredentialStore()

    package init(record: [UInt8]? = nil) {
        self.record = record
    }

    package func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        guard account.isListed else { return try await signIns.read(account) }
        return record.map { StoredCredential(payload: Secret($0), version: .unique()) }
    }

    package func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        account.isListed ? .stored(.unique()) : try await signIns.write(payload, for: account, replacing: expected)
    }

    package func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        account.isListed ? true : try await signIns.delete(account, at: expected)
    }

    package func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { [] }

    package func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        CredentialLease {}
    }
}
