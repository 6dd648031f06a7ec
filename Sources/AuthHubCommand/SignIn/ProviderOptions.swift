import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// The options for the provider, and for the client at it.
struct ProviderOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A name from \"authhub provider list\", such as github-app or google, or the https URL of an issuer or an API (default: the provider of the account).",
            valueName: "provider"),
        completion: .providers)
    var provider: String?

    @OptionGroup var client: ClientOptions

    @Option(
        help: ArgumentHelp(
            "The scopes to request, separated by commas or spaces: repo,user; \"\" for none (default for a new account at an OpenID issuer: openid,profile,email, and offline_access if the server lists it).",
            valueName: "scopes"))
    var scope: String?

    @Option(
        help: ArgumentHelp(
            "The registered redirect URI: SCHEME:/path, https://host/path, pin (the provider's own page, whose text you paste) or loopback (127.0.0.1, the default).",
            valueName: "uri"),
        completion: .list(["loopback", "pin"]))
    var callback: CallbackChoice?

    @Option(help: ArgumentHelp("The port of the redirect URI, if the server only accepts the registered one, or 0 for any free port."))
    var port: UInt16?

    @Option(help: ArgumentHelp("The path of the redirect URI (default: /callback).", valueName: "path"))
    var redirectPath: String?

    @Option(help: ArgumentHelp("The authorization endpoint to use instead of the one in the metadata.", valueName: "url"))
    var authorizationEndpoint: String?

    @Option(help: ArgumentHelp("The token endpoint to use instead of the one in the metadata.", valueName: "url"))
    var tokenEndpoint: String?

    @Option(help: ArgumentHelp("The device authorization endpoint to use instead of the one in the metadata.", valueName: "url"))
    var deviceEndpoint: String?

    @Option(help: ArgumentHelp("The API's base URL, for \"authhub request /PATH\"; it receives the token.", valueName: "url"))
    var baseUrl: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with \(Self.settingsMembers); other options override it.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var settings: String?

    @OptionGroup var place: ProviderPlace

    @Option(help: ArgumentHelp("The URL of the API, if it cannot be derived from --web: https://HOST/api/v3.", valueName: "url"))
    var api: String?

    @OptionGroup var loopback: LoopbackOptions

    private static var settingsMembers: String {
        let members = ClientSettings.members
        return members.dropLast().joined(separator: ", ") + " and " + members.suffix(1).joined()
    }

    var request: ProviderRequest {
        ProviderRequest(
            name: provider, client: client.request, scope: scope.map { Scope($0, separators: Self.scopeSeparators) }, callback: callback,
            port: port, redirectPath: redirectPath,
            overrides: EndpointOverrides(
                authorization: authorizationEndpoint, token: tokenEndpoint, deviceAuthorization: deviceEndpoint, base: baseUrl),
            settingsFile: settings, web: place.web, tenant: place.tenant, api: api, transport: loopback.transport)
    }

    private static let scopeSeparators: Set<Character> = [" ", ","]

    func validate() throws {
        if let scope, !scope.allSatisfy(Self.scopeSeparators.contains), Scope(scope, separators: Self.scopeSeparators).isEmpty {
            throw ValidationError("--scope does not contain a valid scope.")
        }
        guard callback?.isLoopback ?? true || (port == nil && redirectPath == nil) else {
            throw ValidationError("--port and --redirect-path need a loopback callback.")
        }
        if let redirectPath, !redirectPath.hasPrefix("/") || redirectPath.contains(where: { "?# ".contains($0) }) {
            throw ValidationError("--redirect-path must begin with a slash and have no query: /callback.")
        }
    }
}

/// The word `loopback`, or a redirect URI as registered.
struct CallbackChoice: ExpressibleByArgument, Sendable {
    let redirectURI: RedirectURI

    init?(argument: String) {
        isPin = argument == "pin"
        guard let redirectURI = ["loopback", "pin"].contains(argument) ? .loopback : RedirectURI(argument) else { return nil }
        self.redirectURI = redirectURI
    }

    /// Whether the provider's own page is used, whatever its URL.
    let isPin: Bool

    var isLoopback: Bool {
        if case .loopback = redirectURI.kind { !isPin } else { false }
    }
}
