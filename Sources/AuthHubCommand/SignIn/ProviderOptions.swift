import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where to sign in, and as which client.
struct ProviderOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A name of \"authhub provider list\", such as github-app or google, or an issuer's https URL. Left out: where the account was signed in before.",
            valueName: "provider"))
    var provider: String?

    @Option(help: ArgumentHelp("The client id that is registered there; else AUTHHUB_CLIENT_ID.", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "A file with the client secret, or - for standard input. Secrets are never taken as arguments.", valueName: "file|-"))
    var clientSecretFile: String?

    @Option(help: "How the client names itself: none, basic or post. Default: what the server's metadata allows, none without a secret.")
    var clientAuth: ClientAuthChoice?

    @Option(help: ArgumentHelp("What to ask for, with commas or spaces between: repo,user.", valueName: "scopes"))
    var scope: String?

    @Option(
        help: ArgumentHelp(
            "The redirect URI that is registered: loopback (127.0.0.1, the default), SCHEME:/path, https://host/path, or pin (the provider's own page, whose text you paste).",
            valueName: "uri"))
    var callback: CallbackChoice?

    @Option(help: ArgumentHelp("The port of the redirect URI where the server accepts only the registered one; 0 takes a free one."))
    var port: UInt16?

    @Option(help: ArgumentHelp("The path of the redirect URI. Default: /callback", valueName: "path"))
    var redirectPath: String?

    @Option(help: ArgumentHelp("Use this authorization endpoint, whatever the metadata says.", valueName: "url"))
    var authorizationEndpoint: String?

    @Option(help: ArgumentHelp("Use this token endpoint, whatever the metadata says.", valueName: "url"))
    var tokenEndpoint: String?

    @Option(help: ArgumentHelp("Use this device authorization endpoint, whatever the metadata says.", valueName: "url"))
    var deviceEndpoint: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with provider, client_id, client_secret_file, redirect_uri and scopes; other options stand in for what it says.",
            valueName: "file"))
    var settings: String?

    @Option(help: ArgumentHelp("Where a server of one's own is, such as a GitHub, a GitLab or a Mastodon: https://HOST.", valueName: "url"))
    var web: String?

    @Option(help: ArgumentHelp("Where a GitHub or AniList of one's own has its API: https://HOST/api/v3.", valueName: "url"))
    var api: String?

    @Option(help: ArgumentHelp("Whose accounts may sign in at microsoft: a tenant's id or domain, or common.", valueName: "name"))
    var tenant: String?

    @Flag(help: "For development: take http where the server is on this machine.")
    var allowInsecureLoopback = false

    func validate() throws {
        if let scope, Scope(scope, separators: Self.scopeSeparators).isEmpty {
            throw ValidationError("--scope has no valid name in it.")
        }
        guard callback?.isLoopback ?? true || (port == nil && redirectPath == nil) else {
            throw ValidationError("--port and --redirect-path belong to a loopback callback.")
        }
        if let redirectPath, !redirectPath.hasPrefix("/") || redirectPath.contains(where: { "?# ".contains($0) }) {
            throw ValidationError("--redirect-path begins with a slash, and has no query: /callback.")
        }
    }
}

enum ClientAuthChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, basic, post

    var method: ClientAuthenticationMethod {
        switch self {
        case .none: .none
        case .basic: .basic
        case .post: .post
        }
    }
}

/// The word `loopback`, or a redirect URI as it is registered.
struct CallbackChoice: ExpressibleByArgument, Sendable {
    let redirectURI: RedirectURI

    init?(argument: String) {
        isPin = argument == "pin"
        guard let redirectURI = ["loopback", "pin"].contains(argument) ? .loopback : RedirectURI(argument) else { return nil }
        self.redirectURI = redirectURI
    }

    /// Whether the provider's own page is meant, whatever its address.
    let isPin: Bool

    var isLoopback: Bool {
        if case .loopback = redirectURI.kind { !isPin } else { false }
    }
}

extension ProviderOptions {
    private static let scopeSeparators: Set<Character> = [" ", ","]

    /// What is typed, over what is known of the account where it is the same provider.
    ///
    /// - Throws: ``Failure`` with what is missing or cannot be.
    func settings(
        known: AccountSettings?, label: String, registration: ClientRegistration? = nil
    ) throws(Failure) -> AccountSettings {
        let written = try writtenSettings()
        let known = written ?? (self.provider == nil || self.provider == known?.providerArgument ? known : nil)
        guard let word = self.provider ?? known?.providerArgument else {
            throw .usage(
                "where to sign in is missing", hint: "authhub login github --client-id ID, or an issuer's https URL in place of github")
        }
        let provider: AccountSettings.Provider = if let known { known.provider } else { try named(word) }
        var settings = known ?? AccountSettings(provider: provider, clientID: "")
        settings.provider = try addressed(settings.provider)
        if allowInsecureLoopback { settings.allowsInsecureLoopback = true }
        try identify(&settings, word: word, registration)
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
        if case .aniList = settings.provider, case .loopback(0, _) = settings.redirectURI.kind {
            throw .usage(
                "AniList leads back to the registered redirect URI, to the letter: say which port it has",
                hint: "authhub login anilist --client-id ID --port PORT, or --callback pin")
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

    private func identify(_ settings: inout AccountSettings, word: String, _ registration: ClientRegistration?) throws(Failure) {
        let id = clientID ?? (settings.clientID.isEmpty ? ProcessInfo.processInfo.environment["AUTHHUB_CLIENT_ID"] : nil)
        if let id, id != settings.clientID {
            settings.clientID = id
            settings.clientSecret = nil
        }
        if settings.clientID.isEmpty, let registration { try settings.take(registration, callback: callback?.redirectURI) }
        if let clientSecretFile { settings.clientSecret = try InputFile.secret(in: clientSecretFile) }
        guard !settings.clientID.isEmpty else {
            throw .usage(
                "the client id is missing: register a client at \(word), with the redirect URI http://127.0.0.1/callback, or let this tool: authhub client register",
                hint: "authhub login \(word) --client-id ID")
        }
    }

    private func named(_ word: String) throws(Failure) -> AccountSettings.Provider {
        if word.contains("://") { return .issuer(word) }
        // What a person added under a known name stands in for it, everywhere.
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
        let option = ProviderProfile.known(name)?.placeOption
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
