import AuthHubPrimitives

extension CredentialTransfer {
    /// Fails if both stores are the same, so that deleting a record in the source would delete the target's record, too.
    ///
    /// A version permanently identifies one write: two stores with the same version are the same, or one is a copy of the other. A new
    /// write of the same record to the target distinguishes them: it does not appear in a copy.
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
