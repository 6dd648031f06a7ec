import AniListAPI
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import GitHubAPI
import HTTPLoading
import OAuthProtocol
import WebAuthentication

/// An account that was signed in earlier, with a session that never opens a page.
struct SignedInAccount: Sendable {
    let label: String
    let settings: AccountSettings
    let session: OAuthSession
    private let store: any CredentialInventory

    /// The options ` --as NAME` and ` --store STORE`, if required.
    let suffix: String

    /// The command that signs in to this account again.
    var login: String { "authhub login" + suffix }

    /// Opens a signed-in account.
    ///
    /// - Parameters:
    ///   - tokenOrigins: Additional origins that may receive the access token.
    ///   - browser: Shows the server's page for signing out, according to the account's settings; no other page is ever shown.
    ///   - timeout: How long the user may take there.
    /// - Throws: ``Failure`` if the label was never used for a sign-in, or the store cannot be used.
    static func open(
        _ options: AccountOptions, tokenOrigins: Set<Origin> = [],
        browser: (ProviderProfile, RedirectURI) throws(Failure) -> BrowserAuthenticator = { _, _ in .system },
        timeout: Duration = .seconds(300)
    ) async throws(Failure) -> Self {
        let store = try ToolStore.open(options.storage)
        let book = AccountBook(store: store)
        guard let settings = try await Failure.translating({ try await book.settings(of: options.label) }) else {
            throw await .signInNeeded(options, in: book)
        }
        let profile = try Failure.translating { try settings.profile() }
        // Ignored for accounts that sign in without a page: their settings determine the grant.
        let grant: AuthorizationGrant =
            settings.signsInWithoutPage ? .clientCredentials : .authorizationCode(try browser(profile, settings.client.redirectURI))
        var configuration = try Failure.translating {
            try OAuthSession.Configuration(
                settings, grant: grant, store: store,
                dependencies: ToolNetwork.current.dependencies(for: settings, logger: Console.notices))
        }
        configuration.tokenOrigins = tokenOrigins
        configuration.userCheck = .keeping
        configuration.prompting = .manual
        configuration.signInTimeout = timeout
        return Self(
            label: options.label, settings: settings, session: OAuthSession(configuration, label: options.label), store: store,
            suffix: options.suffix)
    }
}

extension SignedInAccount {
    /// Returns the verified ID token; nil if the sign-in has none. Does not refresh the tokens.
    func identity() async throws(Failure) -> IDToken? {
        do {
            return try await session.identity
        } catch {
            throw await failure(error)
        }
    }

    /// Returns the failure to report after an error, once no request is in progress: a refresh that was sent is completed and stored before
    /// the process ends, even if the user presses Ctrl-C. Secrets that the server repeated in a message are removed.
    private func failure(_ make: () -> Failure) async -> Failure {
        // A refresh that the server rejects may delete the tokens.
        let before = session.redaction
        await session.finish()
        return make().without(before).without(session.redaction)
    }

    /// The failure of a command that needs a user, at an account that belongs to the client itself.
    var withoutUser: Failure {
        Failure(
            "not_offered", .failed,
            settings.usesClientCredentials
                ? "“\(label)” belongs to the client itself; no user is signed in"
                : "“\(label)” signs in with an assertion of another issuer; nothing is known about a user", hint: "authhub status\(suffix)")
    }

    func failure(_ error: SessionError) async -> Failure {
        if await forgetClient(rejectedWith: error.serverError?.code) { return await failure { lostClient } }
        return await failure {
            let failure = Failure(error, login: login)
            if error.serverError?.code == .invalidClient, let advice = settings.lostRegistration(login: login) {
                return failure.hinting(advice)
            }
            guard error.code == .misconfigured, let assertion = settings.assertion else { return failure }
            return failure.hinting(
                "check the file; for another one: \(login) --flow \(assertion.flow.rawValue) \(assertion.fileOption) FILE")
        }
    }

    func failure(_ error: LoadError) async -> Failure {
        if let error = error.underlying as? SessionError { return await failure(error) }
        return await failure { Failure(error, login: login) }
    }

    /// Forgets the client if the tool registered it and the server rejected it, because the next sign-in then registers another one.
    ///
    /// - Parameter code: The server's error; nil for that of the last refresh.
    /// - Returns: Whether the client is lost.
    @discardableResult
    func forgetClient(rejectedWith code: ServerErrorCode? = nil) async -> Bool {
        var code = code
        if code == nil, case .signedIn(let facts) = session.state { code = facts.problem?.serverErrorCode }
        return await RegistrationBook(store: store).registrar.forgetClient(of: settings, rejectedWith: code)
    }

    private var lostClient: Failure {
        Failure(
            "sign_in_needed", .signInNeeded,
            "\(settings.provider.name) no longer knows the client of “\(label)”, which this tool registered",
            hint: login)
    }

    func failure(_ error: AniListError) async -> Failure {
        await failure { Failure(error, account: suffix) }
    }

    func failure(_ error: GitHubError) async -> Failure {
        await failure { Failure(error, account: suffix) }
    }
}
