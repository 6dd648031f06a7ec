import AuthHub
import OAuthProtocol
import Platform

extension AccountSettings {
    /// Uses the client, with the redirect URI that it is registered with unless another is requested.
    ///
    /// - Throws: ``Failure`` if it cannot be used.
    mutating func take(_ found: FoundClient, callback: RedirectURI?) throws(Failure) {
        switch found {
        case .remembered(let remembered): client = remembered.client
        case .registered(let registration): try take(registration, callback: callback)
        case .asked(let asked): client = asked
        }
    }

    /// Uses the client as registered, with its first redirect URI unless another is requested.
    ///
    /// - Throws: ``Failure`` if it is registered at another server, its secret has expired, or it does not have the redirect URI.
    mutating func take(_ registration: ClientRegistration, callback: RedirectURI?) throws(Failure) {
        let registered = registration.metadata.redirectURIs?.lazy.compactMap { RedirectURI($0) }.first
        do {
            client = try registration.client(at: try profile(), redirectURI: callback ?? registered ?? .loopback, at: Date())
        } catch {
            throw Failure(cause: error) { Failure($0, login: "authhub client register \(provider.name)") }
        }
    }
}
