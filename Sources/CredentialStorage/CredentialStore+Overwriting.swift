package import AuthHubPrimitives

extension CredentialStore {
    /// Stores a record over whatever stands there, but never without having seen it. One that cannot be read is removed first: writing a
    /// new one is what helps against it.
    ///
    /// - Returns: The new version, or nil where others changed the record in between eight times in a row.
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
