import CredentialStorage

extension ToolStore {
    /// Where the key of the encrypted files comes from; nil for other stores.
    func key(of kind: CredentialStoreKind?) -> StoreReport.KeyReport? {
        guard kind == .encryptedFile else { return nil }
        return StoreReport.KeyReport(
            source: "own-key-file",
            strength: "The key lies in a file beside the records: it guards copies of the records alone, not copies of the whole folder.")
    }
}
