import CredentialStorage

extension CredentialStore {
    /// Returns the credential in an account's record; nil if there is none, or if the account is being moved.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read, or if the record is damaged or was written by a newer
    ///   version of the program.
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
