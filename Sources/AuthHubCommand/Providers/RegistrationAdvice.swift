import OAuthProtocol

/// How a client of this tool is registered at a provider, and what login needs to use it: one way that works there.
struct RegistrationAdvice {
    let redirectURI: String
    /// The options of login, with `ID`, `FILE` and `HOST` for what only the user knows.
    let options: String

    /// The port for providers that accept only the registered one.
    private static let examplePort = 53_682

    init(_ facts: ProviderHabits.RegistrationFacts) {
        let forms = facts.redirectURIs
        let callback: String
        if forms.isEmpty || forms.contains(.loopbackAnyPort) {
            (redirectURI, callback) = ("http://127.0.0.1/callback", "")
        } else if forms.contains(.loopbackFixedPort) {
            (redirectURI, callback) = ("http://127.0.0.1:\(Self.examplePort)/callback", " --port \(Self.examplePort)")
        } else {
            // No browser is sent to localhost: another program may listen there (RFC 8252 §8.3).
            redirectURI = forms.contains(.customScheme) ? "com.example.app:/callback" : "https://HOST/callback"
            callback = " --callback \(redirectURI)"
        }
        options = "--client-id ID" + (facts.secret == .required ? " --client-secret-file FILE" : "") + callback
    }
}
