import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The command that signs in again with the same settings. It omits secrets, default values and options that the tool can determine
/// itself.
struct LoginCommandLine {
    var settings: AccountSettings
    let label: String
    /// The flow to use; if nil, the flow of the previous sign-in, if it is stored.
    var flow: FlowChoice?
    /// The settings that are stored under the label and remain stored.
    var stored: AccountSettings?
    /// The path of the file with the client secret, as it was typed; nil if none was typed.
    var secretFile: String?
    /// The client that the tool finds without arguments.
    var found: OAuthClient?

    /// The command line, quoted for a POSIX shell.
    var text: String {
        let (start, base) = beginning
        var words = ["authhub", "login"] + start
        if let place = settings.provider.place, place != base.provider.place {
            words += [place.contains("://") ? "--web" : "--tenant", place]
        }
        if let api = settings.provider.api, api != base.provider.api { words += ["--api", api] }
        if let scope = settings.scope, scope != base.scope { words += ["--scope", scope.names.joined(separator: ",")] }
        let flow = flow ?? settings.flowWithoutPage ?? .browser
        if flow.usesRedirectURI { words += callback(base.client.redirectURI) }
        if settings.client.authentication != base.client.authentication,
            let choice = settings.client.authentication.flatMap(ClientAuthChoice.init)
        {
            words += ["--client-auth", choice.rawValue]
        }
        for (url, known) in zip(settings.overrides.options, base.overrides.options) where url.value != known.value {
            if let value = url.value { words += [url.option, value] }
        }
        if settings.allowsInsecureLoopback, !base.allowsInsecureLoopback { words.append("--allow-insecure-loopback") }
        if flow != base.flowWithoutPage ?? .browser { words += ["--flow", flow.rawValue] }
        if let assertion = settings.assertion, assertion != base.assertion { words += assertion.words }
        return words.map(\.shellWord).joined(separator: " ") + AccountOptions.suffix(label)
    }
}

extension LoginCommandLine {
    /// The words that name the provider and client, and the settings that these words already imply.
    private var beginning: (words: [String], base: AccountSettings) {
        let secret = secretFile.map { ["--client-secret-file", $0] } ?? []
        if let resource = settings.resource {
            var base = stored ?? settings
            base.allowsInsecureLoopback = false
            var words = [resource.text] + (settings.allowsPrivateServers ? ["--allow-private-servers"] : [])
            if settings.assumesOrigin, !(stored?.assumesOrigin ?? false) { words.append("--without-resource-metadata") }
            if settings.skipsProofKeyCheck, !(stored?.skipsProofKeyCheck ?? false) { words.append("--without-pkce-check") }
            if settings.omitsResourceParameter, !(stored?.omitsResourceParameter ?? false) { words.append("--without-resource") }
            if settings.isIssuerConfirmed, !(stored?.isIssuerConfirmed ?? false) { words += ["--issuer", settings.provider.name] }
            if settings.client.id.contains("://"), stored?.client.id != settings.client.id {
                words += ["--client-id-document", settings.client.id]
                if settings.client.keys != nil { words += credentials }
            }
            guard stored == nil, settings.signsInWithoutPage else {
                let isFound = settings.hasRegisteredClient || found?.id == settings.client.id || settings.client.id.contains("://")
                guard stored == nil, !isFound else { return (words + secret, base) }
                return (words + ["--client-id", settings.client.id] + credentials, base)
            }
            (base.usesClientCredentials, base.assertion) = (false, nil)
            words += ["--client-id", settings.client.id]
            return (words + credentials, base)
        }
        if let stored, stored.provider.name == settings.provider.name, stored.client.id == settings.client.id { return (secret, stored) }
        if let file = settings.settingsFile, let written = try? AccountSettings.written(in: file) {
            let base = AccountSettings(written, secret: nil)
            if base.provider.name == settings.provider.name, base.client.id == settings.client.id {
                return (["--settings", file], base)
            }
        }
        let reference = settings.provider.isIssuer ? ProviderReference.issuer(settings.provider.name) : .builtIn(settings.provider.name)
        if let found, found.id == settings.client.id {
            return ([settings.provider.name] + secret, AccountSettings(provider: reference, client: found))
        }
        var words = [settings.provider.name, "--client-id", settings.client.id]
        words += credentials
        return (words, AccountSettings(provider: reference, client: OAuthClient(id: settings.client.id)))
    }

    /// The option that gives what the client authenticates with.
    private var credentials: [String] {
        if settings.client.keys != nil { return ["--private-key-file", "FILE"] }
        return settings.client.secret == nil ? [] : ["--client-secret-file", secretFile ?? "FILE"]
    }

    private func callback(_ base: RedirectURI) -> [String] {
        let redirectURI = settings.client.redirectURI
        let profile = try? settings.profile()
        guard redirectURI != base || stored == nil else { return [] }
        if redirectURI == profile?.pinPage { return redirectURI == base ? [] : ["--callback", "pin"] }
        guard case .loopback(let port, let path) = redirectURI.kind else {
            return redirectURI == base ? [] : ["--callback", redirectURI.description]
        }
        var words: [String] = []
        var known: (port: UInt16, path: String) = (0, "/callback")
        if case .loopback(let basePort, let basePath) = base.kind {
            known = (basePort, basePath)
        } else {
            words += ["--callback", "loopback"]
        }
        let isFree = port == 0 && profile?.needsLoopbackPort ?? false
        if port != known.port || isFree { words += ["--port", String(port)] }
        if path != known.path { words += ["--redirect-path", path] }
        return words
    }
}

extension EndpointOverrides {
    /// The options that set the endpoints, with the URLs.
    var options: [(option: String, value: String?)] {
        [
            ("--authorization-endpoint", authorization), ("--token-endpoint", token), ("--device-endpoint", deviceAuthorization),
            ("--base-url", base),
        ]
    }
}
