import CredentialStorage

/// Changes that give way to another login's: settings that it has saved meanwhile lead to tokens.
extension AccountBook {
    /// - Returns: nil where there are no settings.
    func version(of label: String) async throws(Failure) -> CredentialVersion? {
        do {
            return try await store.read(AccountSettings.recordAccount(label: label))?.version
        } catch {
            throw Failure(error)
        }
    }

    /// Forgets settings, unless others have saved some since.
    func forget(_ label: String, at version: CredentialVersion) async throws(Failure) {
        do {
            try await store.delete(AccountSettings.recordAccount(label: label), at: version)
        } catch {
            throw Failure(error)
        }
    }

    /// Takes settings back that were saved for a sign-in that failed, unless others have saved some since, or signed in by them.
    ///
    /// - Parameter known: What stood there before.
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
