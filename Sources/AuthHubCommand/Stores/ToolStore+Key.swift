import AuthHubPrimitives
import CredentialStorage

extension ToolStore {
    /// Where the key of the encrypted files comes from, or would for the first record; nil for other stores.
    func key(of kind: CredentialStoreKind?) -> StoreReport.KeyReport? {
        guard kind == .encryptedFile, let choice = keyChoice else { return nil }
        return StoreReport.KeyReport(
            source: choice.rawValue, strength: choice.strength,
            leavesOutKeyFile: choice != .keyFile && !(processEnvironment(EnvironmentKeyFile.variable) ?? "").isEmpty)
    }

    private var keyChoice: StoreKeyChoice? {
        if let choice = try? files.key.choice() { return choice }
        return files.key.search.findings().first { if case .taken = $0.verdict { true } else { false } }?.choice
    }
}
