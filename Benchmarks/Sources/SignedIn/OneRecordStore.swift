package import AuthHubPrimitives
package import CredentialStorage

/// A store in which every account finds the same record, or none, and which drops what is written: what sessions cost is measured, not what
/// a store does. Only the sign-ins under way are kept, which are looked for again. It does not report changes.
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
