package import AuthHubPrimitives

extension CredentialStore {
    /// Replaces any current record, but never one it has not read. A record that cannot be read is removed first, because writing a new one
    /// is the remedy.
    ///
    /// - Parameter mayReplace: Returns whether the record that was read may be replaced. Called again if another writer changes it.
    /// - Returns: The new version; nil if the record may not be replaced, or if other writers changed it eight times in a row.
    package func overwrite(
        _ account: CredentialAccount, with payload: Secret<[UInt8]>, if mayReplace: (StoredCredential) async -> Bool = { _ in true }
    ) async throws(CredentialStoreError) -> CredentialVersion? {
        var standing = try await readable(account)
        for _ in 0..<8 {
            if let standing, await !mayReplace(standing) { return nil }
            switch try await write(payload, for: account, replacing: standing?.version) {
            case .stored(let version): return version
            case .superseded(let other): standing = other
            }
        }
        return nil
    }

    private func readable(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try await read(account)
        } catch  where error.asksForReplacement {
            try await delete(account, at: nil)
            return nil
        }
    }
}
