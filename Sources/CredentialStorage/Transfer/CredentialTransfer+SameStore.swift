import AuthHubPrimitives

extension CredentialTransfer {
    /// Fails where a record's deletion in the source would delete the target's, too, because they are one store.
    ///
    /// A version names one write for ever: two stores that show the same one are the same, or one is a copy of the other. A new write
    /// of the same record to the target tells: in a copy, the source does not show it.
    func requireOthers(
        _ account: CredentialAccount, _ source: any CredentialStore, _ target: any CredentialStore
    ) async throws(CredentialStoreError) {
        guard let standing = try? await target.read(account), try await source.read(account)?.version == standing.version else { return }
        guard case .stored(let version) = try await target.write(standing.payload, for: account, replacing: standing.version) else {
            return
        }
        guard try await source.read(account)?.version == version else { return }
        throw CredentialStoreError(.refused, "the source and the target are the same store; nothing was moved; choose another target")
    }
}

extension StoredCredential {
    func holdsTheSame(as other: Secret<[UInt8]>) -> Bool {
        payload.reveal() == other.reveal()
    }
}
