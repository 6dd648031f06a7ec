import AuthHub
import OAuthProtocol
import Platform

extension SignInService {
    /// Returns the same service with the flow of the account, if it exists and signs in without a page.
    func keepingFlow() async -> Self {
        guard request.chosenFlow == nil else { return self }
        let known: AccountSettings?
        if let provider = request.provider.name {
            let accounts = await accounts(for: provider)
            known = (accounts.first { $0.label == request.account.label } ?? accounts.first)?.settings
        } else {
            known = try? await book.settings(of: request.account.label)
        }
        return changing { $0.chosenFlow = known?.flowWithoutPage }
    }

    /// Returns how the sign-in obtains its tokens.
    ///
    /// - Parameter codeIsShown: Set when the user sees a code of the device flow.
    /// - Throws: ``Failure`` if it cannot; if no browser is available and the server supports the device flow, the hint says so.
    func grant(
        at profile: ProviderProfile, _ settings: AccountSettings, _ codeIsShown: CancellationFlag
    ) async throws(Failure) -> AuthorizationGrant {
        if settings.usesClientCredentials {
            guard settings.client.secret != nil || settings.client.keys != nil else {
                let hint =
                    settings.settingsFile.map { "write the secret to a file and set “client_secret_file” to its path in \($0)" }
                    ?? "add --client-secret-file FILE or --private-key-file FILE"
                throw .usage("client-credentials is for clients that have a secret or a key; this client has none", hint: hint)
            }
        }
        let dependencies = network.dependencies()
        if let grant = try Failure.translating({ try settings.grantWithoutPage(dependencies) }) { return grant }
        switch request.flow {
        case .device: return device(codeIsShown)
        case .paste:
            return .authorizationCode(
                try request.browser.pasteAuthenticator(
                    for: profile, receiving: settings.client.redirectURI, console: console, trace: network.trace))
        case .browser, .clientCredentials, .jwtBearer, .identityAssertion:
            // Those without a page have returned their grant above.
            do throws(Failure) {
                return .authorizationCode(
                    try request.browser.authenticator(
                        for: profile, receiving: settings.client.redirectURI, console: console, trace: network.trace))
            } catch {
                guard error.code == "cannot_sign_in_here", await knowsDevices(profile, settings) else { throw error }
                let typed = request.provider.redirectOptions
                let others = typed.isEmpty ? "" : " instead of \(typed.joined(separator: " and "))"
                let hint = "--flow device\(others), with a browser on another device; or \(error.hint)"
                throw Failure(error.code, error.exit, error.message, hint: hint)
            }
        }
    }

    /// How long the user may take. A device's code has its own lifetime, usually longer than that of a page.
    var patience: Duration {
        .seconds(request.browser.timeout ?? (request.flow == .device ? Self.longestPatience : BrowserRequest.defaultTimeout))
    }

    private static let longestPatience = 3600

    /// A timeout in seconds for the next attempt: twice the previous one, and at least the default.
    var longerPatience: Int {
        min(Self.longestPatience, max(BrowserRequest.defaultTimeout, 2 * (request.browser.timeout ?? BrowserRequest.defaultTimeout)))
    }

    private func device(_ codeIsShown: CancellationFlag) -> AuthorizationGrant {
        let qr = request.qr
        let key = DevicePageKey(request.browser, console)
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
        let server = AuthorizationServer(profile, dependencies: network.dependencies(for: settings))
        return (try? await server.provider(needing: [.deviceAuthorization]).url(of: .deviceAuthorization)) != nil
    }
}
