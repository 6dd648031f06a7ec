package import OAuthProtocol
package import WebAuthentication

extension CallbackMethod {
    /// The method by which a provider returns callbacks to a redirect URI. If that is the provider's own pin page, the user pastes the
    /// callback.
    package init(_ redirectURI: RedirectURI, at profile: ProviderProfile) {
        let address = redirectURI.description
        if let page = profile.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState, page.utf8.elementsEqual(address.utf8) {
            self = .pinPage(address)
        } else {
            self.init(redirectURI)
        }
    }

    /// The method by which callbacks to a redirect URI are returned.
    package init(_ redirectURI: RedirectURI) {
        switch redirectURI.kind {
        case .loopback(let port, let path): self = .loopback(port: port, path: path)
        case .customScheme(let scheme, let path): self = .customScheme(scheme, path: path)
        case .https(let host, let path): self = .https(host: host, path: path)
        }
    }
}
