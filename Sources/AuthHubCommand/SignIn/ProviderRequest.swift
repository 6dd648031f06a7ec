import OAuthProtocol

/// What the user says about a provider, an issuer or a resource, and about the client there; nil for what the account or the provider
/// determines.
struct ProviderRequest: Sendable {
    /// The name of a provider, or the URL of an issuer or a resource; nil for the provider of the account.
    var name: String?
    var client = ClientRequest()
    var scope: Scope?
    var callback: CallbackChoice?
    var port: UInt16?
    var redirectPath: String?
    var overrides = EndpointOverrides()
    /// The path of a settings file.
    var settingsFile: String?
    /// The server or the tenant of a provider that has several, and its API.
    var web: String?
    var tenant: String?
    var api: String?
    var transport = TransportPolicy.httpsOnly

    /// The options for the redirect URI that were typed.
    var redirectOptions: [String] {
        [("--callback", callback != nil), ("--port", port != nil), ("--redirect-path", redirectPath != nil)].filter(\.1).map(\.0)
    }

    /// Checks that no option contradicts a sign-in that begins at a resource.
    func checkForResource() throws(Failure) {
        guard overrides.base == nil else {
            throw .usage(
                "--base-url cannot be used with the URL of a resource, which alone receives the token", hint: "leave out --base-url")
        }
        guard case .customScheme? = callback?.redirectURI.kind else { return }
        throw .usage(
            "a sign-in that begins at a resource needs a loopback or https redirect URI", hint: "leave out --callback")
    }
}
