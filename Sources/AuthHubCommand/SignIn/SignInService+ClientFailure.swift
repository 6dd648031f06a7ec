import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

extension SignInService {
    /// Remembers the client that the user was asked for. The sign-in has shown that the server accepts it.
    func remember(_ settings: AccountSettings, _ found: FoundClient?) async {
        let book = ClientBook(store: store)
        do {
            // If only the secret was asked for, the client that the arguments name does not replace another one.
            if found == nil, try await book.client(for: settings) != nil { return }
            let client = try RememberedClient(settings)
            try await book.save(client)
            let removal = "authhub client remove \(client.words)\(request.account.storage.suffix)"
            console.say("The client is remembered for new accounts at \(settings.provider.name); to remove it: \(removal)")
        } catch {
            console.warn("the client could not be remembered for new accounts: \(error.message)")
        }
    }

    /// The code of the failure for a client that the tool registered and the server no longer knows; another one is then registered.
    static var lostClient: String { "client_lost" }

    /// Forgets the client of a resource if the tool registered it and the server no longer knows it.
    ///
    /// - Parameter known: The settings that are stored; nil if there is no account yet.
    /// - Returns: nil for any other error.
    func lostClientFailure(
        _ error: SessionError, _ settings: AccountSettings, known: AccountSettings?
    ) async -> Failure? {
        guard request.provider.client.id == nil,
            await RegistrationBook(store: store).registrar.forgetClient(of: settings, rejectedWith: error.serverError?.code)
        else { return nil }
        let typed = request.provider.name.flatMap { command(with: $0, insteadOf: $0) }
        let resource = settings.resource.map { " \($0.text.shellWord)\(settings.loopbackSuffix)\(request.accountSuffix)" } ?? ""
        return Failure(
            Self.lostClient, .failed,
            "\(settings.provider.name) does not accept the client \(displayable(settings.client.id, limit: 100)), which was registered there",
            hint: known == nil ? typed ?? "authhub login\(resource)" : "authhub login\(request.account.suffix)")
    }

    /// What to do about a client that the server or the provider's profile does not accept; nil for other errors.
    func clientHint(_ error: SessionError, _ settings: AccountSettings, _ found: FoundClient?, login: String) -> String? {
        if let assertion = settings.assertion, let hint = assertionHint(error, assertion, settings, login: login) { return hint }
        let needsKey = settings.client.authentication == .privateKeyJWT && settings.client.keys == nil
        if settings.client.secret == nil, (error.underlying as? OAuthError)?.code == .misuse {
            return "\(login) \(needsKey ? "--private-key-file FILE" : request.provider.client.secretOption)"
        }
        guard error.serverError?.code == .invalidClient else { return nil }
        if settings.client.id.contains("://") {
            return
                "check the document: authhub client document \(settings.client.id.shellWord) --check-published; if it has a key, add --private-key-file FILE"
        }
        if settings.client.keys != nil {
            return "check --client-id, and that the server knows the public key that belongs to --private-key-file"
        }
        if let advice = settings.lostRegistration(login: login) { return advice }
        switch found {
        case .asked: return "\(login), and check the client ID and the secret that you enter"
        case .remembered(let client):
            return "authhub client add \(client.words)\(request.account.storage.suffix) replaces the remembered client"
        case .registered, nil: break
        }
        return settings.settingsFile.map {
            "check “client_id” and “client_secret_file” in \($0); some servers also need “client_authentication” there"
        }
    }
}

extension SignInService {
    /// What to do about an assertion that is not accepted, or not sent; nil for other errors.
    private func assertionHint(
        _ error: SessionError, _ assertion: AssertionSettings, _ settings: AccountSettings, login: String
    ) -> String? {
        if error.underlying is IdentityProviderError {
            return error.serverError?.code == .invalidClient
                ? "check --identity-client-id and --identity-client-secret-file"
                : "check \(assertion.path): the ID token may have expired; then \(login)"
        }
        switch (error.code, error.serverError?.code, (error.underlying as? OAuthError)?.code) {
        case (.misconfigured, _, _), (_, _, .misuse?): return "check \(assertion.path), which must contain only the token; then \(login)"
        case (.securityCheckFailed, _, _):
            return
                "use a token whose audience is \(settings.provider.name); or, if that server may get this one: \(login) --issuer \(settings.provider.name.shellWord)"
        case (_, .invalidGrant?, _):
            return "check \(assertion.path): the token may have expired, or be for another server; then \(login)"
        default: return nil
        }
    }
}
