import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

extension ToolStore {
    /// Returns the current source of the encrypted files' key, or the one for the first record; nil for other stores.
    func key(of kind: CredentialStoreKind?) -> StoreReport.KeyReport? {
        guard kind == .encryptedFile, let choice = keyChoice else { return nil }
        return StoreReport.KeyReport(
            source: choice.rawValue, strength: choice.strength, leavesOutKeyFile: choice != .keyFile && Self.isKeyFileNamed)
    }

    /// Returns a warning that `AUTHHUB_KEY_FILE` names a key that this store does not use; nil if it uses the key, or the variable is not
    /// set.
    func unusedKeyFile(of kind: CredentialStoreKind) -> String? {
        guard database == nil, Self.isKeyFileNamed else { return nil }
        guard kind == .encryptedFile else { return "AUTHHUB_KEY_FILE is set, but the store “\(kind.name)” does not use it." }
        guard let key = key(of: kind), key.leavesOutKeyFile else { return nil }
        return
            "AUTHHUB_KEY_FILE is set but not used: the store's key comes from \(key.source). To use it: authhub store rekey key-file"
    }

    private static var isKeyFileNamed: Bool { EnvironmentKeyFile(environment: processEnvironment).path != nil }

    private var keyChoice: StoreKeyChoice? {
        if let choice = try? files.key.choice() { return choice }
        return files.key.search.findings().first { if case .taken = $0.verdict { true } else { false } }?.choice
    }
}
