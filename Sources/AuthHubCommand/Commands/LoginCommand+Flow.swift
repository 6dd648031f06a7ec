import AuthHub
import OAuthProtocol
import Platform

extension LoginCommand {
    /// Returns the same login with the flow of the account, if it exists and signs in without a page.
    func keepingFlow(in book: AccountBook) async -> Self {
        guard flow.typedFlow == nil else { return self }
        let known: AccountSettings?
        if let provider = provider.provider {
            let accounts = await accounts(for: provider, in: book)
            known = (accounts.first { $0.label == account.label } ?? accounts.first)?.settings
        } else {
            known = try? await book.settings(of: account.label)
        }
        var command = self
        command.flow.typedFlow = known?.flowWithoutPage
        return command
    }

    /// Returns how this login obtains its tokens.
    ///
    /// - Parameter codeIsShown: Set when the user sees a code of the device flow.
    /// - Throws: ``Failure`` if it cannot; if no browser is available and the server supports the device flow, the hint says so.
    func grant(
        at profile: ProviderProfile, _ settings: AccountSettings, codeIsShown: CancellationFlag, _ console: Console
    ) async throws(Failure) -> AuthorizationGrant {
        if settings.usesClientCredentials {
            guard settings.client.secret != nil || settings.client.keys != nil else {
                let hint =
                    settings.settingsFile.map { "write the secret to a file and set “client_secret_file” to its path in \($0)" }
                    ?? "add --client-secret-file FILE or --private-key-file FILE"
                throw .usage("client-credentials is for clients that have a secret or a key; this client has none", hint: hint)
            }
        }
        let dependencies = ToolNetwork.current.dependencies()
        if let grant = try Failure.translating({ try settings.grantWithoutPage(dependencies) }) { return grant }
        switch flow.flow {
        case .device: return device(console, codeIsShown)
        case .paste:
            return .authorizationCode(
                try browser.pasteAuthenticator(for: profile, receiving: settings.client.redirectURI, console: console))
        case .browser, .clientCredentials, .jwtBearer, .identityAssertion:
            // Those without a page have returned their grant above.
            do throws(Failure) {
                return .authorizationCode(try browser.authenticator(for: profile, receiving: settings.client.redirectURI, console: console))
            } catch {
                guard error.code == "cannot_sign_in_here", await knowsDevices(profile, settings) else { throw error }
                let typed = provider.redirectOptions
                let others = typed.isEmpty ? "" : " instead of \(typed.joined(separator: " and "))"
                let hint = "--flow device\(others), with a browser on another device; or \(error.hint)"
                throw Failure(error.code, error.exit, error.message, hint: hint)
            }
        }
    }

    /// How long the user may take. A device's code has its own lifetime, usually longer than that of a page.
    var patience: Duration {
        .seconds(browser.timeout ?? (flow.flow == .device ? Self.longestPatience : BrowserOptions.defaultTimeout))
    }

    private static let longestPatience = 3600

    /// A timeout in seconds for the next attempt: twice the previous one, and at least the default.
    var longerPatience: Int {
        min(Self.longestPatience, max(BrowserOptions.defaultTimeout, 2 * (browser.timeout ?? BrowserOptions.defaultTimeout)))
    }

    private func device(_ console: Console, _ codeIsShown: CancellationFlag) -> AuthorizationGrant {
        let qr = flow.qr
        let key = DevicePageKey(browser, console)
        return .deviceCode { code in
            codeIsShown.set()
            let key = code.verificationURI.isOpenable ? key : nil
            // Before the notice: the user may press the key as soon as it is visible.
            key?.start(for: code)
            DeviceNotice(code: code, qr: qr, opensPage: key != nil, now: Date()).show(on: console)
        } dismiss: { _ in
            await key?.stop()
        }
    }

    func knowsDevices(_ profile: ProviderProfile, _ settings: AccountSettings) async -> Bool {
        let server = AuthorizationServer(profile, dependencies: ToolNetwork.current.dependencies(for: settings))
        return (try? await server.provider(needing: [.deviceAuthorization]).url(of: .deviceAuthorization)) != nil
    }
}

extension LoginCommand {
    /// Returns the failure for the end of the input. With --flow paste, the tool waits only for standard input, even if the redirect URI
    /// leads to this machine.
    ///
    /// - Parameter inBrowser: The command that signs in with a browser.
    func inputEnded(inBrowser: String) -> Failure {
        Failure(
            "cannot_sign_in_here", .failed, "standard input ended before the redirect URL arrived",
            hint:
                "run the command in a terminal, or keep standard input open and write the URL to it; to use a browser on this machine: \(inBrowser) --browser none"
        )
    }

    /// Adapts a failure of the device flow: there is no browser to change, and the server determines the time limit.
    func deviceFailure(_ failure: Failure, _ error: SessionError, login: String) -> Failure {
        switch error.code {
        case .timedOut where browser.timeout == nil && error.underlying is OAuthError:
            failure.hinting("\(login), and enter the code before it expires")
        case .misconfigured where (error.underlying as? OAuthError)?.code == .configuration:
            failure.hinting("add --device-endpoint URL, or sign in without --flow device")
        case .serverRejected where error.serverError?.code == .unauthorizedClient:
            failure.hinting("enable the device flow in the client's registration")
        default: failure
        }
    }
}
