import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

extension ProviderRequest {
    /// Combines the options with the known settings of the account, if the provider is the same.
    ///
    /// - Parameter found: The client, if neither the options nor the account determine it.
    /// - Throws: ``Failure``, naming the missing or invalid option.
    func settings(
        known: AccountSettings?, label: String, client found: FoundClient? = nil, needsCallback: Bool = true
    ) throws(Failure) -> AccountSettings {
        var (settings, stored) = try draft(known: known, label: label)
        try identify(&settings, found, needsCallback: needsCallback)
        if let method = client.authentication { settings.client.authentication = method }
        if let scope { settings.scope = scope }
        settings.client.redirectURI = try redirectURI(of: settings)
        settings.overrides = EndpointOverrides(
            authorization: overrides.authorization ?? settings.overrides.authorization, token: overrides.token ?? settings.overrides.token,
            deviceAuthorization: overrides.deviceAuthorization ?? settings.overrides.deviceAuthorization,
            base: overrides.base ?? settings.overrides.base)
        try check(settings)
        // An account that is stored was signed in with its redirect URI.
        let isProven = stored.map { $0.client.id == settings.client.id && $0.client.redirectURI == settings.client.redirectURI } ?? false
        if needsCallback, port == nil, !isProven { try requirePort(in: settings) }
        return settings
    }

    /// Returns the settings without the client of a new account.
    ///
    /// - Returns: Also the settings of the account, if it stays at its provider.
    func draft(known: AccountSettings?, label: String) throws(Failure) -> (settings: AccountSettings, stored: AccountSettings?) {
        let written = try writtenSettings()
        let isSame = name == nil || (name == known?.provider.name && !(known?.provider.isShadowedByBuiltIn ?? false))
        let stored = written == nil && isSame ? known : nil
        guard let word = name ?? (written ?? stored)?.provider.name else {
            throw .usage(
                "there is no account “\(label)”; to create it, name a provider",
                hint: Failure.signInSomewhere(account: AccountOptions.suffix(label)))
        }
        var settings =
            if let settings = written ?? stored { settings } else {
                AccountSettings(provider: try ProviderPlace.provider(word), client: OAuthClient(id: ""))
            }
        if transport != .httpsOnly { settings.allowsInsecureLoopback = true }
        let oldPlace = settings.provider.place
        settings.provider = try settings.provider.placed(web: web, tenant: tenant, api: api, settings.transport)
        // The stored URLs belong to the previous location.
        if stored != nil, settings.provider.place != oldPlace { settings.overrides = EndpointOverrides() }
        return (settings, stored)
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

    private func identify(_ settings: inout AccountSettings, _ found: FoundClient?, needsCallback: Bool) throws(Failure) {
        let id = typedID(after: settings)
        if let id { try ClientRequest.check(id) }
        if let id, id != settings.client.id {
            settings.client.id = id
            settings.client.secret = nil
            settings.client.keys = nil
            settings.settingsFile = nil
        }
        if let found { try settings.take(found, callback: callback?.redirectURI) }
        if try client.setCredentials(of: &settings.client) { settings.settingsFile = nil }
        guard !settings.client.id.isEmpty else { throw try missingClientID(settings, needsCallback: needsCallback) }
    }

    /// The client ID in the arguments; for an account without a client, also that in the environment. nil if there is none.
    func typedID(after settings: AccountSettings) -> String? {
        if let id = client.id { return id }
        return settings.client.id.isEmpty ? Self.clientIDOfEnvironment : nil
    }

    /// The client ID in the environment; nil if there is none.
    static var clientIDOfEnvironment: String? {
        let id = ProcessInfo.processInfo.environment["AUTHHUB_CLIENT_ID"]?.withoutPasteRemnants ?? ""
        return id.isEmpty ? nil : id
    }

    /// - Parameter registration: The command that registers a client; nil if the server does not allow that.
    func missingClientID(
        _ settings: AccountSettings, needsCallback: Bool, registration: String? = nil
    ) throws(Failure) -> Failure {
        let profile = try Failure.translating { try settings.profile() }
        let advice = try advice(for: settings, profile)
        var message = "the client ID is missing: register a client at \(profile.quirks.registration.page ?? settings.provider.name)"
        if needsCallback { message += ", with the redirect URI \(advice.redirectURI)" }
        if let registration { message += "; or let this tool register one: \(registration)" }
        return .usage(message, hint: "add \(needsCallback ? advice.options : advice.client)")
    }

    /// Returns how to register a client for these options.
    func advice(for settings: AccountSettings, _ profile: ProviderProfile) throws(Failure) -> RegistrationAdvice {
        let general = RegistrationAdvice(profile, hasSecret: client.secretFile != nil)
        let isTyped = callback != nil || port != nil || redirectPath != nil
        return isTyped ? general.with(try redirectURI(of: settings)) : general
    }

    /// Returns the settings from a settings file.
    private func writtenSettings() throws(Failure) -> AccountSettings? {
        guard let settingsFile else { return nil }
        guard name == nil else {
            throw .usage("the settings file already names the provider", hint: "authhub login --settings \(settingsFile.shellWord)")
        }
        return try AccountSettings(file: settingsFile)
    }

    private func check(_ settings: AccountSettings) throws(Failure) {
        let profile = try Failure.translating { try settings.profile() }
        for case (let option, let url?) in settings.overrides.options where !profile.transport.allows(url) {
            let isLoopback = Origin(url: url)?.isLoopback ?? false
            throw .usage(
                "\(option) is not an https URL",
                hint: isLoopback ? "add --allow-insecure-loopback, for development on this machine" : "use \(option) https://…")
        }
        if let base = settings.overrides.base, base.contains("?") {
            throw .usage("--base-url has a query, and a path cannot be added to it", hint: "use --base-url https://HOST/PATH")
        }
    }
}
