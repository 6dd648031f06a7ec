import AuthHub
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
        let isSame = self.provider == nil || (self.provider == known?.provider.name && !(known?.provider.isShadowedByBuiltIn ?? false))
        let stored = written == nil && isSame ? known : nil
        guard let word = self.provider ?? (written ?? stored)?.provider.name else {
            throw .usage(
                "there is no account “\(label)”; to create it, name a provider",
                hint: Failure.signInSomewhere(account: AccountOptions.suffix(label)))
        }
        var settings =
            if let settings = written ?? stored { settings } else {
                AccountSettings(provider: try reference(to: word), client: OAuthClient(id: ""))
            }
        if loopback.allowInsecureLoopback { settings.allowsInsecureLoopback = true }
        settings.provider = try placed(settings.provider, settings.transport)
        try identify(&settings, registration, needsCallback: needsCallback)
        if let choice = client.clientAuth { settings.client.authentication = choice.method }
        if let scope { settings.scope = Scope(scope, separators: Self.scopeSeparators) }
        settings.client.redirectURI = try redirectURI(of: settings)
        settings.overrides = EndpointOverrides(
            authorization: authorizationEndpoint ?? settings.overrides.authorization, token: tokenEndpoint ?? settings.overrides.token,
            deviceAuthorization: deviceEndpoint ?? settings.overrides.deviceAuthorization, base: baseUrl ?? settings.overrides.base)
        try check(settings)
        // An account that is stored was signed in with its redirect URI.
        let isProven = stored.map { $0.client.id == settings.client.id && $0.client.redirectURI == settings.client.redirectURI } ?? false
        if needsCallback, port == nil, !isProven { try requirePort(in: settings) }
        return settings
    }

    private func redirectURI(of settings: AccountSettings) throws(Failure) -> RedirectURI {
        var redirectURI = settings.client.redirectURI
        if let callback { redirectURI = callback.isPin ? try pinPage(of: settings) : callback.redirectURI }
        if case .loopback(let knownPort, let knownPath) = redirectURI.kind {
            return .loopback(port: port ?? knownPort, path: redirectPath ?? knownPath)
        }
        guard port == nil, redirectPath == nil else {
            throw .usage(
                "--port and --redirect-path need a loopback callback; this account has \(redirectURI)",
                hint: "add --callback loopback")
        }
        return redirectURI
    }

    private func pinPage(of settings: AccountSettings) throws(Failure) -> RedirectURI {
        let profile = try Failure.translating { try settings.profile() }
        guard let page = profile.pinPage else {
            throw .usage("\(profile.displayName) has no page that shows a code or token to paste", hint: "use --callback loopback")
        }
        return page
    }

    /// Checks the port. A provider that accepts only the registered redirect URI would show an error page in the browser, which the tool
    /// never sees.
    private func requirePort(in settings: AccountSettings) throws(Failure) {
        guard case .loopback(0, let path) = settings.client.redirectURI.kind else { return }
        let profile = try Failure.translating { try settings.profile() }
        guard profile.needsLoopbackPort else { return }
        let port =
            if let file = settings.settingsFile {
                "write the registered redirect URI into “redirect_uri” of \(file): http://127.0.0.1:PORT\(path)"
            } else {
                "add --port PORT with the registered port"
            }
        let pin = profile.pinPage == nil ? "" : ", or --callback pin if \(profile.displayName)'s own page is registered"
        throw .usage("\(profile.displayName) only accepts the registered redirect URI; its port is needed", hint: port + pin)
    }

    private func identify(
        _ settings: inout AccountSettings, _ registration: ClientRegistration?, needsCallback: Bool
    ) throws(Failure) {
        let id = client.clientID ?? (settings.client.id.isEmpty ? ProcessInfo.processInfo.environment["AUTHHUB_CLIENT_ID"] : nil)
        if let id, !id.isEmpty { try ClientOptions.check(id) }
        if let id, id != settings.client.id {
            settings.client.id = id
            settings.client.secret = nil
            settings.settingsFile = nil
        }
        if settings.client.id.isEmpty, let registration { try settings.take(registration, callback: callback?.redirectURI) }
        if let secret = try client.secret() {
            settings.client.secret = secret
            settings.settingsFile = nil
        }
        guard !settings.client.id.isEmpty else { throw try missingClientID(settings, needsCallback: needsCallback) }
    }

    private func missingClientID(_ settings: AccountSettings, needsCallback: Bool) throws(Failure) -> Failure {
        let profile = try Failure.translating { try settings.profile() }
        let general = RegistrationAdvice(profile, hasSecret: client.clientSecretFile != nil)
        let isTyped = callback != nil || port != nil || redirectPath != nil
        let advice = isTyped ? general.with(try redirectURI(of: settings)) : general
        var message = "the client ID is missing: register a client at \(profile.quirks.registration.page ?? settings.provider.name)"
        if needsCallback { message += ", with the redirect URI \(advice.redirectURI)" }
        if settings.provider.isIssuer {
            let issuer = settings.provider.name.shellWord + loopback.suffix
            message += "; or let this tool register one, if the server allows that: authhub client register \(issuer)"
        }
        return .usage(message, hint: "add \(needsCallback ? advice.options : advice.client)")
    }

    private func reference(to word: String) throws(Failure) -> ProviderReference {
        if word.contains("://") { return .issuer(word) }
        switch try NamedProvider(word) {
        case .known(let known): return .known(known.name)
        case .added(let profile): return .described(profile)
        }
    }

    /// Returns the provider at the given location, or else the known one.
    private func placed(_ provider: ProviderReference, _ transport: TransportPolicy) throws(Failure) -> ProviderReference {
        let typed = [("--web", web), ("--tenant", tenant), ("--api", api)].filter { $0.1 != nil }.map(\.0)
        if provider.isIssuer || provider.isDescribed {
            guard let option = typed.first else { return provider }
            let reason = provider.isIssuer ? BuiltInProvider.issuerHasNoPlace : BuiltInProvider.describedHasNoPlace
            throw .usage("\(option) cannot be used: \(reason)", hint: "leave out \(option)")
        }
        let name = provider.name
        guard web == nil || tenant == nil else {
            throw .usage("--web and --tenant cannot be used together", hint: "authhub provider show \(name)")
        }
        let place = web ?? tenant ?? provider.place
        // The stored API belongs to the previous location.
        let api = api ?? (web == nil ? provider.api : nil)
        guard let known = provider.known else { return provider }
        if case .tenant = known.place, let web, !known.isPlayed(at: web) {
            throw .usage("--web cannot be used, because \(name) has tenants", hint: "use --tenant NAME")
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

    /// Returns the settings from a settings file.
    private func writtenSettings() throws(Failure) -> AccountSettings? {
        guard let settings else { return nil }
        guard provider == nil else {
            throw .usage("the settings file already names the provider", hint: "authhub login --settings \(settings.shellWord)")
        }
        return try AccountSettings(file: settings)
    }

    private func check(_ settings: AccountSettings) throws(Failure) {
        let profile = try Failure.translating { try settings.profile() }
        let endpoints: [(String, String?)] = [
            ("--authorization-endpoint", settings.overrides.authorization), ("--token-endpoint", settings.overrides.token),
            ("--device-endpoint", settings.overrides.deviceAuthorization), ("--base-url", settings.overrides.base),
        ]
        for case (let option, let url?) in endpoints where !profile.transport.allows(url) {
            let isLoopback = Origin(url: url)?.isLoopback ?? false
            throw .usage(
                "\(option) is not an https URL",
                hint: isLoopback ? "add --allow-insecure-loopback, for development on this machine" : "use \(option) https://…")
        }
    }
}
