import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HeadlessBrowsing
import OAuthProtocol
import Platform
import WebAuthentication

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
    @OptionGroup(title: "Token of another program") var brought: BroughtTokenOptions
    @OptionGroup(title: "Sign-in page") var authorization: AuthorizationOptions
    @OptionGroup(title: "Browser") var browser: BrowserOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    /// With a provider, the command signs in to a new account or to that under the same label.
    var usesNamedAccountOnly: Bool { provider.provider != nil || provider.settings != nil }

    func validate() throws {
        try validateBroughtToken()
        try assertion.check(flow.flow)
        try resource.check(provider.loopback.transport)
        guard resource.clientIDDocument == nil || provider.client.clientID == nil else {
            throw ValidationError("--client-id and --client-id-document cannot be used together; the document's URL is the client ID.")
        }
        guard flow.flow == .browser || (browser.browser == nil && !browser.ephemeral && !browser.headless) else {
            throw ValidationError("--browser, --ephemeral and --headless need --flow browser.")
        }
        guard !flow.pushes || flow.flow.usesRedirectURI else {
            throw ValidationError("--par needs --flow browser or paste.")
        }
        guard !provider.client.readsStandardInput || browser.passwordFile != "-" else {
            throw ValidationError("Only one file can be standard input.")
        }
        guard flow.flow.usesRedirectURI || authorization.typed.isEmpty else {
            throw ValidationError(
                "\(authorization.typed.joined(separator: " and ")) cannot be used with --flow \(flow.flow.rawValue), which sends no authorization request."
            )
        }
        guard flow.flow == .device || flow.qr == .auto else { throw ValidationError("--qr needs --flow device.") }
        guard flow.flow.usesRedirectURI || provider.redirectOptions.isEmpty else {
            throw ValidationError(
                "\(provider.redirectOptions.joined(separator: " and ")) cannot be used with --flow \(flow.flow.rawValue), which has no redirect URI."
            )
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let notice = try StoreNotice(account.storage)
        guard let done = try await signInIfNeeded(console) else { return }
        if let resource = done.report.settings?.resource?.text {
            await ResourceSignIn.forgetDecline(at: Set([resource, provider.provider ?? resource]).sorted(), as: done.report.label)
        }
        switch console.format {
        case .json: console.put(done.report.json)
        case .text: console.say("\(done.command.congratulation(done.report, console.style, now: Date())). Next: \(done.next)")
        }
        if let text = await notice.text() { console.say(console.style(displayable(text, limit: 2000), .yellow)) }
    }

    /// A sign-in that succeeded: the command with the flow that was used, the account, and what to type next.
    struct Success: Sendable {
        let command: LoginCommand
        let report: AccountReport
        let next: String
    }

    /// Signs in, at the server of the resource if the command names one.
    ///
    /// - Parameter allowsOtherIssuer: Whether to sign in at a different server than before, if the resource names one. Pass false unless the
    ///   user started the sign-in: a compromised resource could open its own sign-in page.
    func signIn(_ console: Console, allowsOtherIssuer: Bool = true) async throws(Failure) -> Success {
        let token = try brought.token()
        let store = try ToolStore.open(account.storage)
        let command = token == nil ? await keepingFlow(in: AccountBook(store: store)) : self
        let target = try await command.findResource(in: store)
        let attempt = target.map(command.signingIn) ?? command
        do throws(Failure) {
            return try await attempt.signIn(to: target, allowsOtherIssuer: allowsOtherIssuer, with: token, in: store, console)
        } catch {
            guard error.code == Self.lostClient else { throw error }
            console.say("\(error.message); registering another one.")
            return try await attempt.signIn(to: target, allowsOtherIssuer: allowsOtherIssuer, with: token, in: store, console)
        }
    }

    private func signIn(
        to resource: LoginResource?, allowsOtherIssuer: Bool, with token: BroughtToken?, in store: any CredentialInventory,
        _ console: Console
    ) async throws(Failure) -> Success {
        let book = AccountBook(store: store)
        let known = try await knownSettings(in: book)
        var target = resource
        if var named = resource {
            try await checkIssuer(of: named, known: known, allowsOther: allowsOtherIssuer, in: book, console)
            try await confirmIssuer(of: &named, known: known, asks: allowsOtherIssuer, in: store, console)
            target = named
        }
        let needsCallback = flow.flow.usesRedirectURI && token == nil
        let found = try await provider.findClient(
            in: store, known: known, label: account.label, needsCallback: needsCallback, for: target, flow.flow, console)
        var settings = try provider.settings(
            known: known, label: account.label, client: found, needsCallback: needsCallback)
        if let target {
            try await limit(&settings, to: target, known: known, found, needsCallback: needsCallback, in: store)
        }
        settings.usesClientCredentials = flow.flow == .clientCredentials
        let former = target.flatMap { $0.hasOtherIssuer(than: known) || hasLostClient(known, settings, at: $0) ? known : nil }
        // A server must not get an assertion for another one.
        settings.assertion = try assertion.settings(
            flow.flow, known: target?.hasOtherIssuer(than: known) ?? false ? nil : known?.assertion, provider.loopback)
        guard !settings.signsInWithoutPage || authorization.typed.isEmpty else {
            throw .usage(
                "“\(account.label)” signs in without a page, and sends no authorization request",
                hint: "leave out \(authorization.typed.joined(separator: " and "))")
        }
        let secretIsAsked = try provider.askSecret(of: &settings, found, flow.flow, console)
        if console.format == .text, let warning = try AddedProviders().warning(about: settings.provider.name) { console.warn(warning) }
        if let target { warn(about: target, former: former, on: console) }
        if former == nil { try await refuseToHide(known, behind: settings, in: book) }
        if let warning = await ClientIDUse(store: store).warning(of: settings) { console.warn(warning) }
        var profile = try Failure.translating { try settings.profile() }
        if flow.pushes { profile.pushedAuthorization = .always }
        // Otherwise, a server that remembers an earlier consent does not ask.
        if browser.deny { profile.authorizationParameters.set("prompt", to: "consent") }
        let client = LoginClient(settings: settings, known: known, found: found, token: token)
        let (command, session) = try await signInWithOrWithoutBrowser(client, at: profile, in: book, console)
        if found?.isAsked ?? false || secretIsAsked { await remember(settings, found, in: store, console) }
        if let former { await forget(former, in: store) }
        let report = try await AccountReport.read(account)
        return Success(
            command: command, report: report, next: await nextCommand(report.settings ?? settings, session, report))
    }

    /// Deletes and revokes the tokens of the resource's former server, which must not see those of the new one.
    private func forget(_ former: AccountSettings, in store: any CredentialInventory) async {
        guard let profile = try? former.profile() else { return }
        _ = await OAuthAccounts(store: store).remove(
            account.label, of: profile, client: former.client, dependencies: ToolNetwork.current.dependencies(for: former))
    }
}

extension LoginCommand {
    /// Returns the stored settings of the account. An unreadable record matters only if it would determine the server.
    private func knownSettings(in book: AccountBook) async throws(Failure) -> AccountSettings? {
        do {
            return try await book.settings(of: account.label)
        } catch {
            guard provider.provider != nil || provider.settings != nil else { throw Failure(error) }
            return nil
        }
    }

    /// The ID token of the user who is signed in to the account; nil if there is none, or if the account is another one from now on.
    private func identity(_ known: AccountSettings?, _ settings: AccountSettings, in book: AccountBook) async -> IDToken? {
        guard flow.flow.usesRedirectURI, !settings.signsInWithoutPage, let name = try? settings.account(label: account.label),
            let old = try? known?.account(label: account.label), old == name
        else { return nil }
        return await OAuthAccounts(store: book.store).account(name)?.identity
    }

    /// Rejects a sign-in to another server under the same label, which would leave tokens behind that no command can find:
    /// those of an account that is signed in, or those that a sign-out has not revoked yet.
    private func refuseToHide(_ known: AccountSettings?, behind settings: AccountSettings, in book: AccountBook) async throws(Failure) {
        guard let known, let old = try? known.account(label: account.label),
            try Failure.translating({ try old != settings.account(label: account.label) })
        else { return }
        if try await Failure.translating({ try await book.hasCredential(old) }) {
            throw Failure(
                "label_taken", .failed, "“\(account.label)” is signed in to \(known.displayName) as client \(known.client.id)",
                hint: "authhub logout\(account.suffix) first, or add --as NAME to keep both")
        }
        guard await OAuthAccounts(store: book.store).hasUnfinishedSignOut(old) else { return }
        throw .revocationPending(
            account.label, from: known.displayName,
            hint: "authhub logout\(account.suffix), then run the same command again; or add --as NAME")
    }

    /// Opens a session with these settings, and signs in.
    ///
    /// - Parameter codeIsShown: Set when the user sees a code of the device flow.
    func signIn(
        _ client: LoginClient, at profile: ProviderProfile, in book: AccountBook, codeIsShown: CancellationFlag, _ console: Console
    ) async throws(Failure) -> OAuthSession {
        var settings = client.settings
        let (known, token) = (client.known, client.token)
        let grant = try await token == nil ? grant(at: profile, settings, codeIsShown: codeIsShown, console) : .refreshToken
        let dependencies = ToolNetwork.current.dependencies(for: settings, logger: Console.notices)
        // The scope of an access token is not known.
        if choosesScope(settings, known: known), token?.isRefreshToken ?? true {
            settings.scope = try await identityScope(at: profile, settings, known: known, client.found, dependencies)
        }
        var configuration = OAuthSession.Configuration(
            server: profile, client: settings.client, scope: settings.scope, grant: grant, store: book.store, dependencies: dependencies)
        configuration.limitTokens(toResourceOf: settings)
        configuration.prompting = .manual
        configuration.signInTimeout = patience
        configuration.userCheck = userCheck(console)
        let session = OAuthSession(configuration, label: account.label)
        let options = authorization.signInOptions(after: await identity(known, settings, in: book), at: profile)
        try await signIn(session, settings, known: known, client.found, in: book) { [scope = settings.scope] () throws(SessionError) in
            if let token { try await token.adopt(by: session, scope: scope) } else { try await session.signIn(options) }
        }
        return session
    }

    /// Signs in. The settings of a new account are stored before its tokens, and removed if the sign-in fails, so that there are never
    /// tokens without a label, even if the process is killed. The settings of an existing account change only after the sign-in has
    /// succeeded. Then they are stored in any case: a logout or another login may have deleted them while the page was shown.
    private func signIn(
        _ session: OAuthSession, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?, in book: AccountBook,
        by work: () async throws(SessionError) -> Void
    ) async throws(Failure) {
        let saved = try await Failure.translating { () async throws -> CredentialVersion? in
            let isSameAccount = try known?.account(label: account.label) == settings.account(label: account.label)
            return isSameAccount ? nil : try await book.save(settings, as: account.label)
        }
        do throws(SessionError) {
            try await work()
        } catch {
            await session.finish()
            try await Failure.translating {
                if error.code == .cancelledByProgram, case .signedIn = session.state {
                    // The interruption came too late: the tokens had already been received and stored.
                    try await book.save(settings, as: account.label)
                } else if let saved {
                    try await book.takeBack(settings, at: saved, for: known, as: account.label)
                }
            }
            var failure =
                await lostClientFailure(error, settings, known: known, in: book) ?? failure(error, settings, known: known, found)
            failure.page = AccessPolicy.PageFailure(error)
            throw failure
        }
        do {
            let stored = try? await book.settings(of: account.label)
            if settings.resource == nil || stored?.resource != settings.resource {
                try await refuseToHide(stored, behind: settings, in: book)
            }
        } catch {
            _ = await session.signOut()
            throw error
        }
        _ = try await Failure.translating { try await book.save(settings, as: account.label) }
    }

    /// Returns the failure to report. If the built-in user agent is stuck, its input is more likely to be wrong than the sign-in method.
    ///
    /// - Parameters:
    ///   - known: The settings that were stored before; they are stored again after a failure.
    ///   - found: The client, if the arguments do not name it.
    func failure(_ error: SessionError, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?) -> Failure {
        var line = LoginCommandLine(
            settings: settings, label: account.label, flow: flow.flow, stored: known, secretFile: provider.client.clientSecretFile,
            found: found?.client)
        // The sign-in has not begun, so the account does not have these settings.
        if let other = error.otherIssuer { (line.settings.provider, line.found) = (.issuer(other.issuer), nil) }
        // The hint has a placeholder for another scope.
        if error.serverError?.code == .invalidScope || choosesScope(settings, known: known) { line.settings.scope = nil }
        // If the page cannot be shown, the advice is to choose another browser.
        let options =
            (error.code == .cannotSignInHere ? "" : browser.suffix) + (flow.pushes ? " --par" : "") + authorization.suffix
            + account.storage.suffix
        let login = line.text + options
        if let another = error.underlying as? UserCheck.DifferentUser {
            return self.failure(another, isSpent: error.refreshTokenIsSpent, login: login)
        }
        if brought.typed != nil { return broughtTokenFailure(error, login: login) }
        let failure = Failure(error, login: login, timeout: String(longerPatience))
        if let other = error.otherIssuer { return failure.hinting(other.hint { _ in login }) }
        if settings.resource != nil, !settings.omitsResourceParameter, error.rejectsResourceParameter {
            return failure.hinting("if the server does not know the parameter “resource”: \(login) --without-resource")
        }
        if error.code == .timedOut, flow.flow.usesRedirectURI, let advice = settings.lostRegistration(login: login) {
            return failure.hinting("\(failure.hint); or \(advice)")
        }
        if let hint = clientHint(error, settings, found, login: login) { return failure.hinting(hint) }
        if (error.underlying as? OAuthError)?.code == .unconfirmedEndpoints {
            let advice =
                settings.resource == nil
                ? "--token-endpoint URL, if the server's operator confirms that URL; or set the endpoints in a file: authhub provider add"
                : "--issuer \(settings.provider.name.shellWord), if its operator confirms that they belong together"
            return Failure(failure.code, failure.exit, error.explanation, hint: "\(login) \(advice)")
        }
        if flow.flow == .device { return deviceFailure(failure, error, login: login) }
        if flow.flow == .paste, (error.underlying as? WebAuthenticationError)?.code == .cannotReceive {
            line.flow = .browser
            return inputEnded(inBrowser: line.text)
        }
        if (error.underlying as? WebAuthenticationError)?.code == .cannotReceive {
            return receivingHint(settings).map { failure.hinting($0) } ?? failure
        }
        guard browser.headless, error.code == .cannotSignInHere else { return failure }
        let cause = (error.underlying as? WebAuthenticationError)?.underlying
        if let advice = settings.lostRegistration(login: line.text) {
            return failure.hinting(cause is RejectedRequest ? advice : "check --user and the password; or \(advice)")
        }
        if cause is RejectedRequest {
            line.settings.client.id = "ID"
            return failure.hinting(
                "check the redirect URI, or name a client that is registered there: \(line.text)\(browser.suffix)\(options)")
        }
        let typed = cause is RejectedPassword ? "--user and the password" : "the client ID, --user and the password"
        return failure.hinting("check \(typed); or use a browser: \(login) --browser CMD")
    }
}
