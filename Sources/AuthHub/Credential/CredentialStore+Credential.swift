import CredentialStorage

extension CredentialStore {
    /// What an account's record holds; nil where there is none, or the account has just moved away.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed`, also for a record that is damaged or that a newer program wrote.
    func credential(of account: CredentialAccount) async throws(SessionError) -> (credential: Credential, version: CredentialVersion)? {
        let stored: StoredCredential?
        do throws(CredentialStoreError) {
            stored = try await read(account)
        } catch {
            throw SessionError(error)
        }
        guard let stored, !MovedRecord.isOne(stored) else { return nil }
        return (try Credential(record: stored.payload), stored.version)
    }
}
