import AuthHubPrimitives
import OAuthProtocol

/// The command line that signs in with the same settings again, without secrets and defaults.
struct LoginCommandLine {
    var settings: AccountSettings
    let label: String
    /// If nil, the stored flow of the account's sign-in is used, if any.
    var flow: FlowChoice?

    /// The command line, quoted for a POSIX shell.
    var text: String {
        var words = ["authhub", "login"]
        if case .described = settings.provider, let file = settings.settingsFile {
            // The name of a provider that only this file describes would not be found.
            words += ["--settings", file]
        } else {
            words += [settings.providerArgument, "--client-id", settings.clientID]
            if settings.clientSecret != nil { words += ["--client-secret-file", "FILE"] }
        }
        if case .known(_, let place, let api) = settings.provider {
            if let place { words += [place.contains("://") ? "--web" : "--tenant", place] }
            if let api { words += ["--api", api] }
        }
        if let scope = settings.scope { words += ["--scope", scope.names.joined(separator: ",")] }
        switch settings.redirectURI.kind {
        case _ where isPinPage: words += ["--callback", "pin"]
        case .loopback(let port, let path):
            if port != 0 { words += ["--port", String(port)] }
            if path != "/callback" { words += ["--redirect-path", path] }
        case .customScheme, .https:
            words += ["--callback", settings.redirectURI.description]
        }
        if let choice = settings.clientAuthentication.flatMap(ClientAuthChoice.init) { words += ["--client-auth", choice.rawValue] }
        let overrides = settings.overrides
        for (option, url) in [
            ("--authorization-endpoint", overrides.authorization), ("--token-endpoint", overrides.token),
            ("--device-endpoint", overrides.deviceAuthorization),
        ] {
            if let url { words += [option, url] }
        }
        if settings.allowsInsecureLoopback { words.append("--allow-insecure-loopback") }
        let flow = flow ?? (settings.usesClientCredentials ? .clientCredentials : .browser)
        if flow != .browser { words += ["--flow", flow.rawValue] }
        return words.map(\.shellWord).joined(separator: " ") + AccountOptions.suffix(label)
    }

    private var isPinPage: Bool { (try? settings.profile())?.pinPage == settings.redirectURI }
}
