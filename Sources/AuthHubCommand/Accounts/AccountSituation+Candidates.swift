import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

extension AccountSituation {
    /// Reads all accounts with the origins that receive their tokens. An account whose settings cannot be read has none.
    static func candidates(in store: any CredentialInventory) async throws(Failure) -> [Candidate] {
        let book = AccountBook(store: store)
        var candidates: [Candidate] = []
        for label in try await Failure.translating({ try await book.list().labels }) {
            let settings = try? await book.settings(of: label)
            candidates.append(Candidate(label: label, origins: settings?.tokenOrigins ?? [], resource: settings?.resource))
        }
        return candidates
    }
}

extension AccountSettings {
    /// Whether requests to a URL carry the account's token.
    func sendsToken(to origin: Origin, path: String) -> Bool {
        resource.map { $0.contains(origin, path: path) } ?? tokenOrigins.contains(origin)
    }

    /// The origins that receive the account's token.
    var tokenOrigins: Set<Origin> {
        let origins = (try? profile())?.tokenOrigins ?? []
        return origins.filter { $0.scheme == "https" || ($0.isLoopback && allowsInsecureLoopback) }
    }
}
