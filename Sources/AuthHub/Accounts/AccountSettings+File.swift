package import AuthHubPrimitives
package import OAuthProtocol

extension AccountSettings {
    /// Creates the settings of an account from a settings file's content.
    ///
    /// - Parameters:
    ///   - settings: The content of the file.
    ///   - secret: The client secret from the file that `settings` names.
    package init(_ settings: ClientSettings, secret: Secret<String>?) {
        let provider: ProviderReference =
            switch settings.source {
            case .named(let name, let place, let api): .builtIn(name, place: place, api: api)
            case .issuer(let issuer): .issuer(issuer)
            case .described: .described(settings.provider)
            }
        self.init(
            provider: provider, name: settings.name, client: settings.client(secret: secret), scope: settings.scope,
            allowsInsecureLoopback: settings.allowsInsecureLoopback)
    }
}
