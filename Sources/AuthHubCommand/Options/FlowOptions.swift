import ArgumentParser
import OAuthProtocol

/// The options for the way to sign in.
struct FlowOptions: ParsableArguments {
    @Option(
        name: .customLong("flow"),
        help: ArgumentHelp(
            """
            How to sign in: browser (on this machine), device (a code that you enter in a browser on any device), paste (open the page \
            anywhere and paste the URL that it redirects to), client-credentials (no user; the client acts for itself), jwt-bearer (no \
            user; with a token that the platform issued to this program), or id-jag (with the user's ID token of an identity provider \
            that the server trusts). (default: browser; on a terminal where no browser can be used, device or paste)
            """))
    var typedFlow: FlowChoice?

    @Flag(
        name: .customLong("par"), help: "Push the authorization request to the server first, to keep it out of the page's URL (RFC 9126).")
    var pushes = false

    @Option(
        help: "Whether to draw the URL as a QR code with --flow device; auto draws the code if it fits and the terminal can display it.")
    var qr = QRChoice.auto
}

enum FlowChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case browser, device, paste
    case clientCredentials = "client-credentials"
    case jwtBearer = "jwt-bearer"
    case identityAssertion = "id-jag"

    /// Whether the response arrives at a redirect URI.
    var usesRedirectURI: Bool { self == .browser || self == .paste }

    /// Whether a registered client may use the flow.
    func isAllowed(by registration: ClientRegistration) -> Bool {
        switch self {
        case .browser, .paste, .device: true
        case .clientCredentials: registration.metadata.grantTypes?.contains("client_credentials") ?? true
        case .jwtBearer, .identityAssertion:
            registration.metadata.grantTypes?.contains("urn:ietf:params:oauth:grant-type:jwt-bearer") ?? false
        }
    }

    /// Whether a user signs in here. With an assertion, the user has done so elsewhere.
    var hasUser: Bool { usesRedirectURI || self == .device }
}

enum QRChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}
