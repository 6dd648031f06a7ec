import CredentialStorage

/// Changes that do not overwrite another login's: settings that it has saved in the meantime lead to its tokens.
extension AccountBook {
    /// Returns the version of the settings.
    ///
    /// - Returns: nil if there are no settings.
    func version(of label: String) async throws(Failure) -> CredentialVersion? {
        do {
            return try await store.read(AccountSettings.recordAccount(label: label))?.version
        } catch {
            throw Failure(error)
        }
    }

    /// Deletes settings, unless other processes have saved some since.
    func forget(_ label: String, at version: CredentialVersion) async throws(Failure) {
        do {
            try await store.delete(AccountSettings.recordAccount(label: label), at: version)
        } catch {
            throw Failure(error)
        }
    }

    /// Removes settings that were saved for a failed sign-in, unless other processes have saved some since, or signed in with them.
    ///
    /// - Parameter known: The settings from before the sign-in.
    func takeBack(
        _ settings: AccountSettings, at version: CredentialVersion, for known: AccountSettings?, as label: String
    ) async throws(Failure) {
        guard try await !hasCredential(try settings.account(label: label)) else { return }
        guard let known else { return try await forget(label, at: version) }
        let record = try known.record(label: label)
        do {
            _ = try await store.write(record, for: AccountSettings.recordAccount(label: label), replacing: version)
        } catch {
            throw Failure(error)
        }
    }
}
