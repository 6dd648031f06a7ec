import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

extension SignInService {
    /// The ID token of the user who is signed in to the account; nil if there is none, or if the sign-in is for a different account.
    private func identity(_ known: AccountSettings?, _ settings: AccountSettings) async -> IDToken? {
        guard request.flow.usesRedirectURI, !settings.signsInWithoutPage, let name = try? settings.account(label: request.account.label),
            let old = try? known?.account(label: request.account.label), old == name
        else { return nil }
        return await OAuthAccounts(store: store).account(name)?.identity
    }

    /// Rejects a sign-in to another server under the same label, which would leave tokens behind that no command can find:
    /// those of an account that is signed in, or those that a sign-out has not revoked yet.
    func refuseToHide(_ known: AccountSettings?, behind settings: AccountSettings) async throws(Failure) {
        guard let known, let old = try? known.account(label: request.account.label),
            try Failure.translating({ try old != settings.account(label: request.account.label) })
        else { return }
        if try await Failure.translating({ try await book.hasCredential(old) }) {
            throw Failure(
                "label_taken", .failed, "“\(request.account.label)” is signed in to \(known.displayName) as client \(known.client.id)",
                hint: "authhub logout\(request.account.suffix) first, or add --as NAME to keep both")
        }
        guard await OAuthAccounts(store: store).hasUnfinishedSignOut(old) else { return }
        throw .revocationPending(
            request.account.label, from: known.displayName,
            hint: "authhub logout\(request.account.suffix), then run the same command again; or add --as NAME")
    }

    /// Opens a session with these settings, and signs in.
    ///
    /// - Parameter codeIsShown: Set when the user sees a code of the device flow.
    func signIn(
        _ client: SignInClient, at profile: ProviderProfile, _ codeIsShown: CancellationFlag
    ) async throws(Failure) -> OAuthSession {
        var settings = client.settings
        let (known, token) = (client.known, client.token)
        let grant = try await token == nil ? grant(at: profile, settings, codeIsShown) : .refreshToken
        let dependencies = network.dependencies(for: settings, logger: logger)
        // The scope of an access token is not known.
        if choosesScope(settings, known: known), token?.isRefreshToken ?? true {
            settings.scope = try await identityScope(at: profile, settings, known: known, client.found, dependencies)
        }
        var configuration = OAuthSession.Configuration(
            server: profile, client: settings.client, scope: settings.scope, grant: grant, store: store, dependencies: dependencies)
        configuration.limitTokens(toResourceOf: settings)
        configuration.prompting = .manual
        configuration.signInTimeout = patience
        configuration.userCheck = userCheck
        let session = OAuthSession(configuration, label: request.account.label)
        let options = request.page.signInOptions(after: await identity(known, settings), at: profile)
        try await signIn(session, settings, known: known, client.found) { [scope = settings.scope] () throws(SessionError) in
            if let token { try await token.adopt(by: session, scope: scope) } else { try await session.signIn(options) }
        }
        return session
    }

    /// Signs in. The settings of a new account are stored before its tokens, and removed if the sign-in fails, so that there are never
    /// tokens without a label, even if the process is killed. The settings of an existing account change only after the sign-in has
    /// succeeded. Then they are stored in any case: a logout or another login may have deleted them while the page was shown.
    private func signIn(
        _ session: OAuthSession, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?,
        by work: () async throws(SessionError) -> Void
    ) async throws(Failure) {
        let saved = try await Failure.translating { () async throws -> CredentialVersion? in
            let isSameAccount = try known?.account(label: request.account.label) == settings.account(label: request.account.label)
            return isSameAccount ? nil : try await book.save(settings, as: request.account.label)
        }
        do throws(SessionError) {
            try await work()
        } catch {
            await session.finish()
            try await Failure.translating {
                if error.code == .cancelledByProgram, case .signedIn = session.state {
                    // The interruption came too late: the tokens had already been received and stored.
                    try await book.save(settings, as: request.account.label)
                } else if let saved {
                    try await book.takeBack(settings, at: saved, for: known, as: request.account.label)
                }
            }
            var failure =
                await lostClientFailure(error, settings, known: known) ?? failure(error, settings, known: known, found)
            failure.page = AccessPolicy.PageFailure(error)
            throw failure
        }
        do {
            let stored = try? await book.settings(of: request.account.label)
            if settings.resource == nil || stored?.resource != settings.resource {
                try await refuseToHide(stored, behind: settings)
            }
        } catch {
            _ = await session.signOut()
            throw error
        }
        _ = try await Failure.translating { try await book.save(settings, as: request.account.label) }
    }

    /// Asks whether a different user may replace the user of the account, unless the request already allows it.
    private var userCheck: UserCheck {
        let (label, replaces, console) = (request.account.label, request.replacesUser, console)
        return UserCheck { old, new in
            guard !replaces else { return true }
            let question = "“\(label)” belongs to \(old.words), but \(new.words) signed in. Replace the tokens?"
            return (try? await Confirmation(console: console).asks(question)) ?? false
        }
    }

    /// Whether the user leaves the scope to the tool. An account that signs in again keeps its scope.
    func choosesScope(_ settings: AccountSettings, known: AccountSettings?) -> Bool {
        settings.resource == nil && request.provider.scope == nil && request.provider.settingsFile == nil && settings.provider.isIssuer
            && settings.provider != known?.provider
            && !settings.signsInWithoutPage
    }

    private func identityScope(
        at profile: ProviderProfile, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?,
        _ dependencies: Dependencies
    ) async throws(Failure) -> Scope? {
        do {
            let server = AuthorizationServer(profile, forOpenID: true, dependencies: dependencies)
            return IdentityScope.scope(at: try await server.provider().metadata)
        } catch {
            throw failure(error, settings, known: known, found)
        }
    }
}
