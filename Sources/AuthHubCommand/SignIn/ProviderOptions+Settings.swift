import AuthHubPrimitives
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// What is typed, over what is known of the account where it is the same provider.
    ///
    /// - Throws: ``Failure`` with what is missing or cannot be.
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
        settings.provider = try addressed(settings.provider)
        if allowInsecureLoopback { settings.allowsInsecureLoopback = true }
        try identify(&settings, registration)
        if let clientAuth { settings.clientAuthentication = clientAuth.method }
        if let scope { settings.scope = Scope(scope, separators: Self.scopeSeparators) }
        if let callback { settings.redirectURI = callback.isPin ? try pinPage(of: settings) : callback.redirectURI }
        if case .loopback(let knownPort, let knownPath) = settings.redirectURI.kind {
            settings.redirectURI = .loopback(port: port ?? knownPort, path: redirectPath ?? knownPath)
        } else if port != nil || redirectPath != nil {
            throw .usage(
                "--port and --redirect-path belong to a loopback callback; this account has \(settings.redirectURI)",
                hint: "add --callback loopback")
        }
        settings.overrides = EndpointOverrides(
            authorization: authorizationEndpoint ?? settings.overrides.authorization, token: tokenEndpoint ?? settings.overrides.token,
            deviceAuthorization: deviceEndpoint ?? settings.overrides.deviceAuthorization)
        try check(settings)
        if needsCallback, case .aniList = settings.provider, case .loopback(0, _) = settings.redirectURI.kind {
            throw .usage(
                "AniList leads back to the registered redirect URI, to the letter: say which port it has",
                hint: "add --port PORT with the registered port, or --callback pin if AniList's own page is registered")
        }
        return settings
    }

    private func pinPage(of settings: AccountSettings) throws(Failure) -> RedirectURI {
        let profile = try settings.profile()
        guard let page = profile.authorizationResponses.pinPageWhoseTextIsTakenWithoutState.flatMap({ RedirectURI($0) }) else {
            throw .usage("\(profile.displayName) has no page that shows a code or a token to paste", hint: "--callback loopback")
        }
        return page
    }

    private func identify(_ settings: inout AccountSettings, _ registration: ClientRegistration?) throws(Failure) {
        let id = clientID ?? (settings.clientID.isEmpty ? ProcessInfo.processInfo.environment["AUTHHUB_CLIENT_ID"] : nil)
        if let id, !id.isEmpty, !OAuthClient.isValidID(id) { throw .invalidClientID }
        if let id, id != settings.clientID {
            settings.clientID = id
            settings.clientSecret = nil
        }
        if settings.clientID.isEmpty, let registration { try settings.take(registration, callback: callback?.redirectURI) }
        if let clientSecretFile { settings.clientSecret = try InputFile.secret(in: clientSecretFile) }
        guard !settings.clientID.isEmpty else { throw try missingClientID(settings) }
    }

    private func missingClientID(_ settings: AccountSettings) throws(Failure) -> Failure {
        let registration = try settings.profile().habits.registration
        let advice = RegistrationAdvice(registration)
        var message = "the client id is missing: register a client at \(registration.page ?? settings.providerArgument)"
        message += ", with the redirect URI \(callback?.redirectURI.description ?? advice.redirectURI)"
        if case .issuer(let issuer) = settings.provider {
            let flag = allowInsecureLoopback ? " --allow-insecure-loopback" : ""
            message += "; or let this tool register one, if the server allows that: authhub client register \(issuer.shellWord)\(flag)"
        }
        return .usage(message, hint: "add \(advice.options)")
    }

    private func named(_ word: String) throws(Failure) -> AccountSettings.Provider {
        if word.contains("://") { return .issuer(word) }
        if let added = try AddedProviders().profile(named: word) { return .described(added.name, added.settings) }
        switch word {
        case "github": return .gitHub(.init())
        case "github-app": return .gitHubApp(.init())
        case "anilist": return .aniList(.init())
        default:
            switch try NamedProvider(word) {
            case .known(let known): return .known(known.name, place: nil)
            case .added(let profile): return .described(profile.name, profile.settings)
            }
        }
    }

    private func addressed(_ provider: AccountSettings.Provider) throws(Failure) -> AccountSettings.Provider {
        func place(_ addresses: AccountSettings.GitHubAddresses) -> AccountSettings.GitHubAddresses {
            .init(web: web.map(Self.withoutSlash) ?? addresses.web, api: api.map(Self.withoutSlash) ?? addresses.api)
        }
        switch provider {
        case .gitHub(let addresses): return .gitHub(place(addresses))
        case .gitHubApp(let addresses): return .gitHubApp(place(addresses))
        case .aniList(let addresses):
            return .aniList(.init(web: web.map(Self.withoutSlash) ?? addresses.web, graphQL: api ?? addresses.graphQL))
        case .known(let name, let place):
            guard api == nil else { throw .usage("--api is for github and github-app", hint: "authhub login github --web URL --api URL") }
            return .known(name, place: try self.place(of: name) ?? place)
        case .issuer where web != nil || api != nil || tenant != nil, .described where web != nil || api != nil || tenant != nil:
            throw .usage("--web, --api and --tenant are for providers that have such", hint: "authhub provider list")
        case .issuer, .described: return provider
        }
    }

    /// The place that is typed, where the provider has one of this kind.
    private func place(of name: String) throws(Failure) -> String? {
        let known = ProviderProfile.known(name)
        if allowInsecureLoopback, tenant == nil, let web, known?.isPlayed(at: web) ?? false { return Self.withoutSlash(web) }
        let option = known?.placeOption
        for (typed, value) in [("--web", web), ("--tenant", tenant)] where value != nil && typed != option {
            throw .usage("\(typed) is not for \(name)", hint: "authhub provider show \(name)")
        }
        return web.map(Self.withoutSlash) ?? tenant
    }

    /// What a settings file says.
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
            ("--device-endpoint", settings.overrides.deviceAuthorization), ("--web", profile.endpoints?.authorization),
            ("--api", profile.accountEndpoint),
        ]
        for case (let option, let url?) in endpoints where !profile.transport.allows(url) {
            let isLoopback = Origin(url: url)?.isLoopback ?? false
            throw .usage(
                "\(option) is not an https URL",
                hint: isLoopback ? "add --allow-insecure-loopback, for development on this machine" : "\(option) https://…")
        }
    }

    private static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
