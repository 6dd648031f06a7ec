package import CredentialStorage

/// Changes that preserve settings that another sign-in has saved in the meantime: its tokens are found through them.
extension AccountBook {
    /// - Returns: nil if there are no settings.
    package func version(of label: String) async throws(SessionError) -> CredentialVersion? {
        try await record(of: label)?.version
    }

    /// Deletes settings, unless others have been saved in the meantime.
    package func forget(_ label: String, at version: CredentialVersion) async throws(SessionError) {
        do throws(CredentialStoreError) {
            try await store.delete(AccountSettings.recordAccount(label: label), at: version)
        } catch {
            throw SessionError(error)
        }
    }

    /// Reverts settings that were saved for a sign-in that failed, unless others have been saved, or used to sign in, in the meantime.
    ///
    /// - Parameter known: The settings that were stored before.
    package func takeBack(
        _ settings: AccountSettings, at version: CredentialVersion, for known: AccountSettings?, as label: String
    ) async throws(SessionError) {
        guard try await !hasCredential(try settings.account(label: label)) else { return }
        guard let known else { return try await forget(label, at: version) }
        let record = try known.record(label: label)
        do throws(CredentialStoreError) {
            _ = try await store.write(record, for: AccountSettings.recordAccount(label: label), replacing: version)
        } catch {
            throw SessionError(error)
        }
    }
}
