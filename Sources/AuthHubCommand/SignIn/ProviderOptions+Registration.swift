import AuthHub
import OAuthProtocol
import Platform

extension AccountSettings {
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
