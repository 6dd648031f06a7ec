import AuthHub
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// The client that this tool has registered at the issuer that is typed.
    func registration(in store: any CredentialInventory) async throws(Failure) -> ClientRegistration? {
        guard let provider, provider.contains("://"), self.client.clientID == nil else { return nil }
        return try await RegistrationBook(store: store).registration(at: provider)
    }
}

extension AccountSettings {
    /// Takes the client as it is registered, with its first redirect URI unless another is wanted.
    ///
    /// - Throws: ``Failure`` for a registration at another server, one whose secret has ended, and a redirect URI it does not have.
    mutating func take(_ registration: ClientRegistration, callback: RedirectURI?) throws(Failure) {
        let registered = registration.metadata.redirectURIs?.lazy.compactMap { RedirectURI($0) }.first
        do {
            client = try registration.client(at: try profile(), redirectURI: callback ?? registered ?? .loopback, at: Date())
        } catch {
            throw Failure(cause: error) { Failure($0, login: "authhub client register \(provider.name)") }
        }
    }
}
