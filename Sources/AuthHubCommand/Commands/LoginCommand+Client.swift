import AuthHub
import CredentialStorage
import OAuthProtocol

extension LoginCommand {
    /// Remembers the client that the user was asked for. The sign-in has shown that the server accepts it.
    func remember(_ settings: AccountSettings, _ found: FoundClient?, in store: any CredentialInventory, _ console: Console) async {
        let book = ClientBook(store: store)
        do {
            // If only the secret was asked for, the client that the arguments name does not replace another one.
            if found == nil, try await book.client(for: settings) != nil { return }
            let client = try RememberedClient(settings)
            try await book.save(client)
            let removal = "authhub client remove \(client.words)\(account.storage.suffix)"
            console.say("The client is remembered for new accounts at \(settings.provider.name); to remove it: \(removal)")
        } catch {
            console.warn("the client could not be remembered for new accounts: \(error.message)")
        }
    }

    /// What to do about a client that the server or the provider's profile does not accept; nil for other errors.
    func clientHint(_ error: SessionError, _ settings: AccountSettings, _ found: FoundClient?, login: String) -> String? {
        if settings.client.secret == nil, (error.underlying as? OAuthError)?.code == .misuse {
            return "\(login) \(provider.client.secretOption)"
        }
        guard error.serverError?.code == .invalidClient else { return nil }
        if settings.client.keys != nil {
            return "check --client-id, and that the server knows the public key that belongs to --private-key-file"
        }
        switch found {
        case .asked: return "\(login), and check the client ID and the secret that you enter"
        case .remembered(let client): return "authhub client add \(client.words)\(account.storage.suffix) replaces the remembered client"
        case .registered, nil: break
        }
        return settings.settingsFile.map {
            "check “client_id” and “client_secret_file” in \($0); some servers also need “client_authentication” there"
        }
    }
}
