import AuthHub
import OAuthProtocol
import PlatformCredentialStorage

extension CompletionWords {
    /// Returns the words that are stored now. Reading them asks the user for nothing, and reports no errors: the command itself will.
    ///
    /// - Parameter arguments: The arguments of a completion script, which end with the command line.
    static func stored(for arguments: [String]) async -> Self {
        let store = zip(arguments, arguments.dropFirst()).first { $0.0 == "--store" }?.1
        let added = (try? AddedProviders().all().profiles.map(\.name)) ?? []
        return Self(
            accounts: await labels(in: store.flatMap(StoreChoice.init(word:))),
            providers: (ProviderProfile.builtIn.map(\.name) + added).sorted())
    }

    private static func labels(in choice: StoreChoice?) async -> [String] {
        // Without a display and a file with the passphrase, a locked keyring and encrypted files are not opened. A database would make the
        // user wait.
        let asking = PlatformAsking.byDesktop { _ in nil }
        guard let tool = try? ToolStore(choice, asking: asking), tool.database == nil else { return [] }
        return (try? await AccountBook(store: tool.platform).list().labels) ?? []
    }
}
