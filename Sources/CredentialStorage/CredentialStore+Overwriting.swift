package import AuthHubPrimitives

extension CredentialStore {
    /// Replaces any current record, but never one it has not read. A record that cannot be read is removed first, because writing a new one
    /// is the remedy.
    ///
    /// - Returns: The new version, or nil if other writers changed the record eight times in a row.
    package func overwrite(
        _ account: CredentialAccount, with payload: Secret<[UInt8]>
    ) async throws(CredentialStoreError) -> CredentialVersion? {
        var standing = try await versionIfReadable(of: account)
        for _ in 0..<8 {
            switch try await write(payload, for: account, replacing: standing) {
            case .stored(let version): return version
            case .superseded(let other): standing = other?.version
            }
        }
        return nil
    }

    private func versionIfReadable(of account: CredentialAccount) async throws(CredentialStoreError) -> CredentialVersion? {
        do throws(CredentialStoreError) {
            return try await read(account)?.version
        } catch  where error.asksForReplacement {
            try await delete(account, at: nil)
            return nil
        }
    }
}
