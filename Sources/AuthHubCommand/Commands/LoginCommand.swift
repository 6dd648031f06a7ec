import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct LoginCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Signs you in, with a browser or a code, and keeps the tokens.",
        discussion: """
            The page's address is always printed, on standard error, before a browser is started. The answer comes back to 127.0.0.1. \
            Where that is not possible, see --flow.

            If --client-id is left out, the client id of a new account is that of AUTHHUB_CLIENT_ID.

            Examples:
              authhub login github --client-id ID --client-secret-file FILE
              authhub login https://login.example.com --client-id ID --as work
              authhub login github-app --client-id ID --flow device
              authhub login          signs the same account in again
            """)

    @OptionGroup(title: "Provider and client") var provider: ProviderOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Flow") var flow: FlowOptions
    @OptionGroup(title: "Browser") var browser: BrowserOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard flow.flow == .browser || (browser.browser == nil && !browser.ephemeral && !browser.headless) else {
            throw ValidationError("--browser, --ephemeral and --headless belong to --flow browser.")
        }
        guard !flow.pushes || [.browser, .paste].contains(flow.flow) else {
            throw ValidationError("--par belongs to --flow browser or paste.")
        }
        guard flow.flow == .device || flow.qr == .auto else { throw ValidationError("--qr belongs to --flow device.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(account.storage)
        let notice = try StoreNotice(account.storage)
        let book = AccountBook(store: store)
        let known = try await knownSettings(in: book)
        var settings = try provider.settings(
            known: known, label: account.label, registration: try await provider.registration(in: store),
            needsCallback: [.browser, .paste].contains(flow.flow))
        // An account that is the client's own stays that when it is signed in again.
        settings.usesClientCredentials =
            flow.flow == .clientCredentials || (provider.provider == nil && known?.usesClientCredentials ?? false)
        if console.format == .text, let warning = try AddedProviders().warning(about: settings.provider.name) { console.warn(warning) }
        try await refuseToHide(known, behind: settings, in: book)
        if let warning = await ClientIDUse(store: store).warning(of: settings) { console.warn(warning) }
        var profile = try Failure.translating { try settings.profile() }
        if flow.pushes { profile.pushedAuthorization = .always }
        let session = OAuthSession(
            OAuthSession.Settings(
                server: profile, client: settings.client, scope: settings.scope, method: try await method(at: profile, settings, console),
                store: store, signIn: .manual, timeout: patience,
                dependencies: Dependencies(transport: NetworkTransport.shared, logger: Console.notices)),
            label: account.label)
        try await signIn(session, settings, known: known, in: book)
        let report = try await AccountReport.read(account)
        switch console.format {
        case .json: console.put(report.json)
        case .text:
            let next = await nextCommand(settings, session)
            console.say("\(congratulation(report, console.style)). Next: \(next)")
        }
        if let text = await notice.text() { console.say(console.style(displayable(text, limit: 2000), .yellow)) }
    }
}

extension LoginCommand {
    /// What is stored of the account. A record that cannot be read matters only if it would say where to sign in.
    private func knownSettings(in book: AccountBook) async throws(Failure) -> AccountSettings? {
        do {
            return try await book.settings(of: account.label)
        } catch {
            guard provider.provider != nil || provider.settings != nil else { throw Failure(error) }
            return nil
        }
    }

    /// Signing in somewhere else under the same label would leave tokens behind that no command reaches any more.
    private func refuseToHide(_ known: AccountSettings?, behind settings: AccountSettings, in book: AccountBook) async throws(Failure) {
        guard let known, let old = try? known.account(label: account.label),
            try Failure.translating({ try old != settings.account(label: account.label) }),
            try await Failure.translating({ try await book.hasCredential(old) })
        else { return }
        throw Failure(
            "label_taken", .failed, "“\(account.label)” is signed in at \(known.displayName) as client \(known.client.id)",
            hint: "authhub logout\(account.suffix) first, or add --as NAME to keep both")
    }

    /// The settings of a new account are stored before its tokens, and taken back where the sign-in fails: tokens that no label leads to
    /// must not be left, whenever the process is killed. Those of an account that is signed in again change only when it has succeeded. Then
    /// they are stored in any case: a logout or another login may have taken them away while the page was shown.
    private func signIn(
        _ session: OAuthSession, _ settings: AccountSettings, known: AccountSettings?, in book: AccountBook
    ) async throws(Failure) {
        let saved = try await Failure.translating { () async throws -> CredentialVersion? in
            let isSameAccount = try known?.account(label: account.label) == settings.account(label: account.label)
            return isSameAccount ? nil : try await book.save(settings, as: account.label)
        }
        do {
            try await session.signIn()
        } catch {
            await session.finish()
            try await Failure.translating {
                if error.code == .cancelledByProgram, case .signedIn = session.state {
                    // Interrupted too late: the tokens had come and were stored.
                    try await book.save(settings, as: account.label)
                } else if let saved {
                    try await book.takeBack(settings, at: saved, for: known, as: account.label)
                }
            }
            throw failure(error, settings, known: known)
        }
        do {
            try await refuseToHide(try? await book.settings(of: account.label), behind: settings, in: book)
        } catch {
            _ = await session.signOut()
            throw error
        }
        _ = try await Failure.translating { try await book.save(settings, as: account.label) }
    }

    /// Where the built-in user agent is stuck, what it was given is wrong more often than the way to sign in.
    ///
    /// - Parameter known: The settings that were stored before; they are stored again after a failure.
    private func failure(_ error: SessionError, _ settings: AccountSettings, known: AccountSettings?) -> Failure {
        let way = settings.usesClientCredentials ? .clientCredentials : flow.flow
        var line = LoginCommandLine(
            settings: settings, label: account.label, flow: way, stored: known, secretFile: provider.client.clientSecretFile)
        // The hint has a place for another scope.
        if error.serverError?.code == .invalidScope { line.settings.scope = nil }
        let login = line.text
        let failure = Failure(error, login: login, timeout: String(longerPatience))
        if let hint = clientHint(error, settings, login: login) { return failure.hinting(hint) }
        if (error.underlying as? OAuthError)?.code == .unconfirmedEndpoints {
            return Failure(
                failure.code, failure.exit, error.explanation,
                hint:
                    "\(login) --token-endpoint URL, if the people who run the server say so; or name the endpoints in a file: authhub provider add"
            )
        }
        if flow.flow == .device { return deviceFailure(failure, error, login: login) }
        if flow.flow == .paste, (error.underlying as? WebAuthenticationError)?.code == .cannotReceive {
            line.flow = .browser
            return inputEnded(inBrowser: line.text)
        }
        guard browser.headless, error.code == .cannotSignInHere else { return failure }
        return failure.hinting("check the client id, --user and the password; or, with a browser: \(login) --browser CMD")
    }

    /// What to do about a client that the server or the provider's profile does not accept; nil for other errors.
    private func clientHint(_ error: SessionError, _ settings: AccountSettings, login: String) -> String? {
        if settings.client.secret == nil, (error.underlying as? OAuthError)?.code == .misuse {
            return "\(login) \(provider.client.secretOption)"
        }
        guard let file = settings.settingsFile, error.serverError?.code == .invalidClient else { return nil }
        return "check “client_id” and “client_secret_file” in \(file); some servers also need “client_authentication” there"
    }

    private func congratulation(_ report: AccountReport, _ style: Style) -> String {
        var text = style("Signed in", .green, .bold) + " as “\(report.label)”"
        if let facts = report.signedIn {
            if let end = facts.expiresAt { text += "; the token ends \(Words.expiry(end, now: Date()))" }
            text += facts.isRenewable ? ", and is renewed by itself" : ""
            let missing = report.settings?.scope.map { facts.scope.missing(from: $0) } ?? []
            if !missing.isEmpty { text += "\n" + style("Not granted: \(missing.joined(separator: ", "))", .yellow) }
        }
        return text
    }

    /// A command that works at this provider: not every provider says who is signed in, and some do so in their own form.
    private func nextCommand(_ settings: AccountSettings, _ session: OAuthSession) async -> String {
        let hasOwnAPI = settings.gitHubAPI != nil || settings.aniListAPI != nil
        let profile = settings.usesClientCredentials || hasOwnAPI ? nil : try? await session.provider()
        if hasOwnAPI { return "authhub whoami\(account.suffix)" }
        guard let endpoint = profile?.accountEndpoint else { return "authhub token\(account.suffix)" }
        // A provider's own endpoint has an answer of its own, which whoami cannot read.
        if endpoint == profile?.endpoints?.userInfo { return "authhub whoami\(account.suffix)" }
        return "authhub request\(account.suffix) GET \(endpoint.shellWord)"
    }
}
