import AuthHubPrimitives
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// Combines the options with the known settings of the account, if the provider is the same.
    ///
    /// - Throws: ``Failure``, naming the missing or invalid option.
    func settings(
        known: AccountSettings?, label: String, registration: ClientRegistration? = nil, needsCallback: Bool = true
    ) throws(Failure) -> AccountSettings {
        let written = try writtenSettings()
        let isSame = self.provider == nil || (self.provider == known?.providerArgument && !(known?.isShadowedByBuiltIn ?? false))
        let known = written ?? (isSame ? known : nil)
        guard let word = self.provider ?? known?.providerArgument else {
            throw .usage("where to sign in is missing", hint: Failure.signInSomewhere())
        }
        let provider: AccountSettings.Provider = if let known { known.provider } else { try named(word) }
        var settings = known ?? AccountSettings(provider: provider, clientID: "")
        if allowInsecureLoopback { settings.allowsInsecureLoopback = true }
        settings.provider = try placed(settings.provider, settings.transport)
        try identify(&settings, registration)
        if let clientAuth { settings.clientAuthentication = clientAuth.method }
        if let scope { settings.scope = Scope(scope, separators: Self.scopeSeparators) }
        settings.redirectURI = try redirectURI(of: settings)
        settings.overrides = EndpointOverrides(
            authorization: authorizationEndpoint ?? settings.overrides.authorization, token: tokenEndpoint ?? settings.overrides.token,
            deviceAuthorization: deviceEndpoint ?? settings.overrides.deviceAuthorization)
        try check(settings)
        if needsCallback { try checkPort(of: settings) }
        return settings
    }

    private func redirectURI(of settings: AccountSettings) throws(Failure) -> RedirectURI {
        var redirectURI = settings.redirectURI
        if let callback { redirectURI = callback.isPin ? try pinPage(of: settings) : callback.redirectURI }
        if case .loopback(let knownPort, let knownPath) = redirectURI.kind {
            return .loopback(port: port ?? knownPort, path: redirectPath ?? knownPath)
        }
        guard port == nil, redirectPath == nil else {
            throw .usage(
                "--port and --redirect-path belong to a loopback callback; this account has \(redirectURI)",
                hint: "add --callback loopback")
        }
        return redirectURI
    }

    private func pinPage(of settings: AccountSettings) throws(Failure) -> RedirectURI {
        let profile = try settings.profile()
        guard let page = profile.pinPage else {
            throw .usage("\(profile.displayName) has no page that shows a code or a token to paste", hint: "--callback loopback")
        }
        return page
    }

    /// Checks the port. A provider that accepts only the registered redirect URI would show an error page in the browser, which the tool
    /// never sees.
    private func checkPort(of settings: AccountSettings) throws(Failure) {
        guard case .loopback(0, _) = settings.redirectURI.kind else { return }
        let profile = try settings.profile()
        guard profile.pinPage != nil, !profile.quirks.registration.redirectURIs.contains(.loopbackAnyPort) else { return }
        throw .usage(
            "\(profile.displayName) accepts the registered redirect URI only: say which port it has",
            hint: "add --port PORT with the registered port, or --callback pin if \(profile.displayName)'s own page is registered")
    }

    private func identify(_ settings: inout AccountSettings, _ registration: ClientRegistration?) throws(Failure) {
        let id = clientID ?? (settings.clientID.isEmpty ? ProcessInfo.processInfo.environment["AUTHHUB_CLIENT_ID"] : nil)
        if let id, !id.isEmpty, !OAuthClient.isValidID(id) { throw .invalidClientID }
        if let id, id != settings.clientID {
            settings.clientID = id
            settings.clientSecret = nil
            settings.settingsFile = nil
        }
        if settings.clientID.isEmpty, let registration { try settings.take(registration, callback: callback?.redirectURI) }
        if let clientSecretFile {
            settings.clientSecret = try InputFile.secret(in: clientSecretFile)
            settings.settingsFile = nil
        }
        guard !settings.clientID.isEmpty else { throw try missingClientID(settings) }
    }

    private func missingClientID(_ settings: AccountSettings) throws(Failure) -> Failure {
        let profile = try settings.profile()
        let general = RegistrationAdvice(profile, hasSecret: clientSecretFile != nil)
        let isTyped = callback != nil || port != nil || redirectPath != nil
        let advice = isTyped ? general.with(try redirectURI(of: settings)) : general
        var message = "the client id is missing: register a client at \(profile.quirks.registration.page ?? settings.providerArgument)"
        message += ", with the redirect URI \(advice.redirectURI)"
        if case .issuer(let issuer) = settings.provider {
            let flag = allowInsecureLoopback ? " --allow-insecure-loopback" : ""
            message += "; or let this tool register one, if the server allows that: authhub client register \(issuer.shellWord)\(flag)"
        }
        return .usage(message, hint: "add \(advice.options)")
    }

    private func named(_ word: String) throws(Failure) -> AccountSettings.Provider {
        if word.contains("://") { return .issuer(word) }
        if let added = try AddedProviders().profile(named: word) { return .described(added.name, added.settings) }
        switch try NamedProvider(word) {
        case .known(let known): return .known(known.name)
        case .added(let profile): return .described(profile.name, profile.settings)
        }
    }

    /// Returns the provider at the given location, or else the known one.
    private func placed(
        _ provider: AccountSettings.Provider, _ transport: TransportPolicy
    ) throws(Failure) -> AccountSettings.Provider {
        let typed = [("--web", web), ("--tenant", tenant), ("--api", api)].filter { $0.1 != nil }.map(\.0)
        switch provider {
        case .issuer where !typed.isEmpty:
            throw .usage("\(typed[0]) cannot be used: \(KnownProvider.issuerHasNoPlace)", hint: "leave out \(typed[0])")
        case .described where !typed.isEmpty:
            throw .usage("\(typed[0]) cannot be used: \(KnownProvider.describedHasNoPlace)", hint: "leave out \(typed[0])")
        case .issuer, .described: return provider
        case .known(let name, let knownPlace, let knownAPI):
            guard web == nil || tenant == nil else {
                throw .usage("--web and --tenant exclude each other", hint: "authhub provider show \(name)")
            }
            let place = web ?? tenant ?? knownPlace
            // The old API belongs to the old location.
            let api = api ?? (web == nil ? knownAPI : nil)
            guard let known = ProviderProfile.known(name) else { return provider }
            if case .tenant = known.place, let web, !known.isPlayed(at: web) {
                throw .usage("--web cannot be used: \(name) has tenants", hint: "--tenant NAME")
            }
            do {
                _ = try known.checkedProfile(at: place, api: api, transport: transport)
            } catch {
                let option = error.part == .api ? "--api" : web != nil ? "--web" : tenant != nil ? "--tenant" : known.placeOption ?? "--web"
                let hint =
                    error.isForDevelopment
                    ? "add --allow-insecure-loopback, for development on this machine" : "authhub provider show \(name)"
                throw .usage("\(option) \(error.problem)", hint: hint)
            }
            return .known(name, place: place, api: api)
        }
    }

    /// Returns the settings from a settings file.
    private func writtenSettings() throws(Failure) -> AccountSettings? {
        guard let settings else { return nil }
        guard provider == nil else {
            throw .usage("--settings names the provider already", hint: "authhub login --settings FILE")
        }
        return try AccountSettings(file: settings)
    }

    private func check(_ settings: AccountSettings) throws(Failure) {
        let profile = try settings.profile()
        let endpoints: [(String, String?)] = [
            ("--authorization-endpoint", settings.overrides.authorization), ("--token-endpoint", settings.overrides.token),
            ("--device-endpoint", settings.overrides.deviceAuthorization),
        ]
        for case (let option, let url?) in endpoints where !profile.transport.allows(url) {
            let isLoopback = Origin(url: url)?.isLoopback ?? false
            throw .usage(
                "\(option) is not an https URL",
                hint: isLoopback ? "add --allow-insecure-loopback, for development on this machine" : "\(option) https://…")
        }
    }
}
