import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// The options for the provider, and for the client at it.
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
            "A JSON file with \(Self.settingsMembers); other options stand in for what it says.",
            valueName: "file"))
    var settings: String?

    @Option(
        help: ArgumentHelp(
            "The URL of your own server, such as a GitHub, a GitLab or a Mastodon: https://HOST. With --allow-insecure-loopback: the URL of a development server that plays the provider.",
            valueName: "url"))
    var web: String?

    @Option(help: ArgumentHelp("The URL of the API, if it does not follow from --web: https://HOST/api/v3.", valueName: "url"))
    var api: String?

    @Option(help: ArgumentHelp("Whose accounts may sign in at microsoft: a tenant's id or domain, or common.", valueName: "name"))
    var tenant: String?

    @Flag(help: "For development: allow http if the server is on this machine.")
    var allowInsecureLoopback = false

    private static var settingsMembers: String {
        let members = ClientSettings.members
        return members.dropLast().joined(separator: ", ") + " and " + members.suffix(1).joined()
    }

    static let scopeSeparators: Set<Character> = [" ", ","]

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

    /// Creates a choice from a method; nil if no choice corresponds to it.
    init?(_ method: ClientAuthenticationMethod) {
        guard let choice = Self.allCases.first(where: { $0.method == method }) else { return nil }
        self = choice
    }

    var method: ClientAuthenticationMethod {
        switch self {
        case .none: .none
        case .basic: .basic
        case .post: .post
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
