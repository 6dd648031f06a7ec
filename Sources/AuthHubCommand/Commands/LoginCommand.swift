import ArgumentParser

struct LoginCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in with a browser or a code, and store the tokens.",
        discussion: """
            The URL of the sign-in page is always printed to standard error before a browser is started. The response arrives at \
            127.0.0.1. If that is not possible, see --flow.

            Without --client-id, a new account gets the client ID in AUTHHUB_CLIENT_ID, or the client that "authhub client add" or an \
            earlier login has stored. If there is none, you are asked for it on a terminal.

            Examples:
              authhub login github          ask for the client if none is remembered
              authhub login github --client-id ID --client-secret-file FILE
              authhub login https://login.example.com --client-id ID --as work
              authhub login github-app --client-id ID --flow device
              authhub login          sign in to the same account again
              authhub login --prompt select_account --replace
                                     sign in to it as another user
              authhub login google --client-id ID --with-refresh-token - < FILE
              authhub login https://mcp.example.com/mcp
                                     sign in at the server of an API
            """)

    @OptionGroup(title: "Provider and client") var provider: ProviderOptions
    @OptionGroup var account: AccountOptions
    @Flag(help: "Replace the account's tokens even if a different user signs in (default: ask, or fail without a terminal).")
    var replace = false

    @OptionGroup(title: "Protected resource") var resource: ResourceOptions
    @OptionGroup(title: "Flow") var flow: FlowOptions
    @OptionGroup(title: "Assertion of another issuer") var assertion: AssertionOptions
    @OptionGroup(title: "Token of another program") var brought: ExternalTokenOptions
    @OptionGroup(title: "Sign-in page") var authorization: AuthorizationOptions
    @OptionGroup(title: "Browser") var browser: BrowserOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    /// With a provider, the command signs in to a new account or to that under the same label.
    var usesNamedAccountOnly: Bool { provider.provider != nil || provider.settings != nil }

    func validate() throws {
        let request = request
        try validateToken(request)
        try assertion.check(request.flow)
        try resource.check(provider.loopback.transport)
        guard resource.clientIDDocument == nil || provider.client.clientID == nil else {
            throw ValidationError("--client-id and --client-id-document cannot be used together; the document's URL is the client ID.")
        }
        guard request.flow == .browser || (browser.browser == nil && !browser.ephemeral && !browser.headless) else {
            throw ValidationError("--browser, --ephemeral and --headless need --flow browser.")
        }
        guard !flow.pushes || request.flow.usesRedirectURI else {
            throw ValidationError("--par needs --flow browser or paste.")
        }
        guard !provider.client.readsStandardInput || browser.passwordFile != "-" else {
            throw ValidationError("Only one file can be standard input.")
        }
        guard request.flow.usesRedirectURI || request.page.typed.isEmpty else {
            throw ValidationError(
                "\(request.page.typed.joined(separator: " and ")) cannot be used with --flow \(request.flow.rawValue), which sends no authorization request."
            )
        }
        guard request.flow == .device || flow.qr == .auto else { throw ValidationError("--qr needs --flow device.") }
        let redirectOptions = request.provider.redirectOptions
        guard request.flow.usesRedirectURI || redirectOptions.isEmpty else {
            throw ValidationError(
                "\(redirectOptions.joined(separator: " and ")) cannot be used with --flow \(request.flow.rawValue), which has no redirect URI."
            )
        }
    }

    /// Checks the options of a login with a token of another program, which shows no page.
    private func validateToken(_ request: SignInRequest) throws {
        guard let token = request.token else { return }
        let others =
            [
                ("--flow \(request.flow.rawValue)", request.flow != .browser), ("--par", flow.pushes),
                ("--browser", browser.browser != nil),
                ("--ephemeral", browser.ephemeral), ("--headless", browser.headless),
            ].filter(\.1).map(\.0) + request.provider.redirectOptions + request.page.typed
        guard others.isEmpty else {
            throw ValidationError("\(others.joined(separator: " and ")) cannot be used with \(token.option), which shows no sign-in page.")
        }
        guard !token.isStandardInput || !provider.client.readsStandardInput else {
            throw ValidationError("Only one file can be standard input.")
        }
    }

    func perform(_ console: Console) async throws(Failure) { try await SignInService(request, console).performAndReport() }

    /// The sign-in that the options describe.
    var request: SignInRequest {
        SignInRequest(
            account: account, isAccountNamed: AccountChoice.isNamed, provider: provider.request, resource: resource.request,
            chosenFlow: flow.typedFlow, pushes: flow.pushes, qr: flow.qr, assertion: assertion.request, token: brought.file,
            page: authorization.request, browser: browser.request, replacesUser: replace,
            words: ProcessArguments.command.flatMap { $0.first == Self.configuration.commandName ? $0 : nil })
    }
}
