import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Logging
import OAuthProtocol

/// The one way to sign in: finds the server and the client, obtains the tokens, and stores them with the settings of the account.
struct SignInService: Sendable {
    var request: SignInRequest
    let store: any CredentialInventory
    let network: ToolNetwork
    let console: Console
    /// The logger for what the user should know about the session.
    let logger: Logger?

    var book: AccountBook { AccountBook(store: store) }
}

extension SignInService {
    /// Creates a service for one request.
    ///
    /// - Throws: ``Failure`` if the store cannot be used.
    init(
        _ request: SignInRequest, _ console: Console, network: ToolNetwork = .current, logger: Logger? = Console.notices
    ) throws(Failure) {
        self.init(
            request: request, store: try ToolStore.open(request.account.storage), network: network, console: console, logger: logger)
    }

    /// Signs in, at the server of the resource if the request names one.
    func perform() async throws(Failure) -> CompletedSignIn {
        let token = try request.token?.token()
        let service = token == nil ? await keepingFlow() : self
        let target = try await service.findResource()
        let attempt = target.map(service.signingIn) ?? service
        do throws(Failure) {
            return try await attempt.signIn(to: target, with: token)
        } catch {
            guard error.code == Self.lostClient else { throw error }
            console.say("\(error.message); registering another one.")
            return try await attempt.signIn(to: target, with: token)
        }
    }

    private func signIn(to resource: LoginResource?, with token: ExternalToken?) async throws(Failure) -> CompletedSignIn {
        let known = try await knownSettings()
        var target = resource
        if var named = resource {
            try await checkIssuer(of: named, known: known)
            try await confirmIssuer(of: &named, known: known)
            target = named
        }
        let (label, flow) = (request.account.label, request.flow)
        let needsCallback = flow.usesRedirectURI && token == nil
        let found = try await findClient(known: known, needsCallback: needsCallback, for: target)
        var settings = try request.provider.settings(known: known, label: label, client: found, needsCallback: needsCallback)
        if let target { try await limit(&settings, to: target, known: known, found, needsCallback: needsCallback) }
        settings.usesClientCredentials = flow == .clientCredentials
        let former = target.flatMap { $0.hasOtherIssuer(than: known) || hasLostClient(known, settings, at: $0) ? known : nil }
        // A server must not get an assertion for another one.
        settings.assertion = try request.assertion.settings(
            flow, known: target?.hasOtherIssuer(than: known) ?? false ? nil : known?.assertion, request.provider.transport)
        guard !settings.signsInWithoutPage || request.page.typed.isEmpty else {
            throw .usage(
                "“\(label)” signs in without a page, and sends no authorization request",
                hint: "leave out \(request.page.typed.joined(separator: " and "))")
        }
        let secretIsAsked = try askSecret(of: &settings, found)
        if console.format == .text, let warning = try AddedProviders().warning(about: settings.provider.name) { console.warn(warning) }
        if let target { warn(about: target, former: former) }
        if former == nil { try await refuseToHide(known, behind: settings) }
        if let warning = await ClientIDUse(store: store).warning(of: settings) { console.warn(warning) }
        var profile = try Failure.translating { try settings.profile() }
        if request.pushes { profile.pushedAuthorization = .always }
        // Otherwise, a server that remembers an earlier consent does not ask.
        if request.browser.denies { profile.authorizationParameters.set("prompt", to: "consent") }
        let client = SignInClient(settings: settings, known: known, found: found, token: token)
        let (done, session) = try await signInWithOrWithoutBrowser(client, at: profile)
        if found?.isAsked ?? false || secretIsAsked { await remember(settings, found) }
        if let former { await forget(former) }
        let report = try await AccountReport.read(request.account, in: store)
        return CompletedSignIn(
            request: done.request, report: report, next: await nextCommand(report.settings ?? settings, session, report))
    }

    /// Returns the settings that are stored for the account. An unreadable record matters only if it would determine the server.
    private func knownSettings() async throws(Failure) -> AccountSettings? {
        do {
            return try await book.settings(of: request.account.label)
        } catch {
            guard request.provider.name != nil || request.provider.settingsFile != nil else { throw Failure(error) }
            return nil
        }
    }

    /// Deletes and revokes the tokens of the resource's former server, which must not see those of the new one.
    private func forget(_ former: AccountSettings) async {
        guard let profile = try? former.profile() else { return }
        _ = await OAuthAccounts(store: store).remove(
            request.account.label, of: profile, client: former.client, dependencies: network.dependencies(for: former))
    }

    /// Returns the same service for a request that differs.
    func changing(_ change: (inout SignInRequest) -> Void) -> Self {
        var service = self
        change(&service.request)
        return service
    }
}

/// The settings of a sign-in, and where they come from.
struct SignInClient: Sendable {
    let settings: AccountSettings
    /// The settings that are stored for the account.
    let known: AccountSettings?
    /// The client, if the request and the account do not determine it.
    let found: FoundClient?
    /// A token of another program, which replaces the sign-in page; nil if there is none.
    let token: ExternalToken?
}
