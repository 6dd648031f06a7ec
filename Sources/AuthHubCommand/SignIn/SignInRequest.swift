import OAuthProtocol

/// A sign-in to perform. `login` creates it from its options; other commands from a resource or an account.
struct SignInRequest: Sendable {
    var account: AccountOptions
    /// Whether the user named the account. Otherwise, a sign-in at a resource finds it by the resource.
    var isAccountNamed: Bool
    var provider = ProviderRequest()
    var resource = ResourceRequest()
    /// The flow that the user chose; nil for the account's flow, or else one that works here.
    var chosenFlow: FlowChoice?
    /// Whether the authorization request is pushed to the server first (RFC 9126).
    var pushes = false
    var qr = QRChoice.auto
    var assertion = AssertionRequest()
    var token: ExternalTokenFile?
    var page = PageRequest()
    var browser = BrowserRequest()
    /// Whether a different user may replace the user of the account.
    var replacesUser = false
    /// Whether the user started the sign-in. Otherwise, it must not lead to a different server than before: a compromised resource could
    /// open its own sign-in page.
    var isByUser = true
    /// The command line, if it describes this sign-in and can be suggested with other options.
    var words: [String]?

    var flow: FlowChoice { chosenFlow ?? .browser }

    /// The options of the account, with its name only if the user specified it.
    var accountSuffix: String { isAccountNamed ? account.suffix : account.storage.suffix }
}

extension SignInRequest {
    /// Creates a request for a resource that has rejected another command's request.
    ///
    /// - Parameters:
    ///   - challenge: The header field with which the resource did so; empty if there was none.
    ///   - label: The account that the user named; nil if the resource determines it.
    init(
        at url: String, challenge: String, as label: String?, in account: AccountOptions, _ transport: TransportPolicy,
        _ browser: BrowserRequest
    ) {
        self.init(account: account.naming(label ?? AccountOptions.defaultLabel), isAccountNamed: label != nil, isByUser: false)
        (provider.name, provider.transport, self.browser) = (url, transport, browser)
        resource.challenge = challenge.isEmpty ? nil : challenge
    }
}
