import OAuthProtocol

/// How a client of this tool is registered at a provider, and what login needs to use it: one way that works there.
struct RegistrationAdvice {
    private(set) var redirectURI: String
    /// The options of login, with `ID`, `FILE` and `HOST` for what only the user knows.
    var options: String { client + callback }

    private let client: String
    private var callback: String
    private let needsPort: Bool

    /// The port for providers that accept only the registered one.
    private static let examplePort: UInt16 = 53_682

    /// - Parameter hasSecret: Whether login is given a client secret.
    init(_ profile: ProviderProfile, hasSecret: Bool = false) {
        let facts = profile.quirks.registration
        let forms = facts.redirectURIs
        if let page = profile.pinPage {
            // The provider's own page works in each browser, and takes no port that another program may have.
            (redirectURI, callback) = (page.description, " --callback pin")
        } else if forms.isEmpty || forms.contains(.loopbackAnyPort) {
            (redirectURI, callback) = (RedirectURI.loopback.description, "")
        } else if forms.contains(.loopbackFixedPort) {
            (redirectURI, callback) = (Self.fixed("/callback").description, " --port \(Self.examplePort)")
        } else {
            // No browser is sent to localhost: another program may listen there (RFC 8252 §8.3).
            redirectURI = forms.contains(.customScheme) ? "com.example.app:/callback" : "https://HOST/callback"
            callback = " --callback \(redirectURI)"
        }
        needsPort = !forms.isEmpty && !forms.contains(.loopbackAnyPort)
        client = "--client-id ID" + (facts.secret == .required && !hasSecret ? " --client-secret-file FILE" : "")
    }

    /// The advice for a redirect URI that login is given already.
    func with(_ typed: RedirectURI) -> Self {
        var advice = self
        if needsPort, case .loopback(0, let path) = typed.kind {
            (advice.redirectURI, advice.callback) = (Self.fixed(path).description, " --port \(Self.examplePort)")
        } else {
            (advice.redirectURI, advice.callback) = (typed.description, "")
        }
        return advice
    }

    private static func fixed(_ path: String) -> RedirectURI { .loopback(port: examplePort, path: path) }
}

extension ProviderProfile {
    /// Whether a loopback redirect URI is accepted only with the port that is registered.
    var needsLoopbackPort: Bool {
        let forms = quirks.registration.redirectURIs
        return forms.contains(.loopbackFixedPort) && !forms.contains(.loopbackAnyPort)
    }

    /// The provider's own page that shows a code or a token to paste.
    var pinPage: RedirectURI? { quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState.flatMap { RedirectURI($0) } }
}
