import OAuthProtocol

/// Advice on how to register a client of this tool at a provider, and which options login then needs: one way that works there.
struct RegistrationAdvice {
    private(set) var redirectURI: String
    /// The options of login, with placeholders `ID`, `FILE` and `HOST` for values that only the user knows.
    var options: String { client + callback }

    /// Whether the redirect URI contains the placeholder `HOST`.
    var hasPlaceholder: Bool { redirectURI.contains("//HOST/") }

    /// The options that name the client.
    let client: String
    private var callback: String
    private let needsPort: Bool

    /// The port for providers that accept only the registered one.
    private static let examplePort: UInt16 = 53_682

    /// Creates the advice.
    ///
    /// - Parameter hasSecret: Whether login has a client secret.
    init(_ profile: ProviderProfile, hasSecret: Bool = false) {
        let facts = profile.quirks.registration
        let forms = facts.redirectURIs
        if let page = profile.pinPage {
            // The provider's own page works in every browser, and uses no port that another program may occupy.
            (redirectURI, callback) = (page.description, " --callback pin")
        } else if forms.isEmpty || forms.contains(.loopbackAnyPort) {
            (redirectURI, callback) = (RedirectURI.loopback.description, "")
        } else if forms.contains(.loopbackFixedPort) {
            (redirectURI, callback) = (Self.fixed("/callback").description, " --port \(Self.examplePort)")
        } else {
            // The browser is never sent to localhost: another program may listen there (RFC 8252 §8.3).
            redirectURI = forms.contains(.customScheme) ? "com.example.app:/callback" : "https://HOST/callback"
            callback = " --callback \(redirectURI)"
        }
        needsPort = !forms.isEmpty && !forms.contains(.loopbackAnyPort)
        client = "--client-id ID" + (facts.secret == .required && !hasSecret ? " --client-secret-file FILE" : "")
    }

    /// Returns the advice for a redirect URI that login already has.
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
