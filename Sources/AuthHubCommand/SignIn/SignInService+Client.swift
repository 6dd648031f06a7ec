import AsyncHTTPClientTransport
import AuthHub
import CredentialStorage
import OAuthProtocol
import Platform

extension SignInService {
    /// Finds the client of an account that has none, if the request does not determine it. Asks the user if there is one.
    ///
    /// - Parameter resource: The resource that the sign-in begins at. The tool then registers a client by itself if the server lets it.
    /// - Returns: nil if the account or the request determine the client.
    /// - Throws: ``Failure`` that says how to register a client, if there is none.
    func findClient(
        known: AccountSettings?, needsCallback: Bool, for resource: LoginResource?
    ) async throws(Failure) -> FoundClient? {
        let (provider, flow) = (request.provider, request.flow)
        guard provider.settingsFile == nil else { return nil }
        var draft = try provider.draft(known: known, label: request.account.label).settings
        let registrations = RegistrationBook(store: store)
        let keys = resource?.protection.registrationKeys ?? [RegistrationKey(issuer: draft.provider.name)]
        if resource != nil, provider.typedID(after: draft) == nil, try await registrations.hasLostClient(of: draft) {
            draft.client = OAuthClient(id: "")
        }
        let id = provider.typedID(after: draft)
        guard draft.client.id.isEmpty || (id.map { $0 != draft.client.id } ?? false) else { return nil }
        let book = ClientBook(store: store)
        if let id {
            // A record that cannot be read matters only if it would determine the client.
            if let remembered = try? await book.client(for: draft), remembered.client.id.hasSameBytes(as: id) {
                return .remembered(remembered)
            }
            return ((try? await registrations.registration(keys) { $0.clientID.hasSameBytes(as: id) }) ?? nil).map { .registered($0) }
        }
        if let remembered = try await book.client(for: draft) { return .remembered(remembered) }
        if draft.provider.isIssuer,
            let registration = try await registrations.registration(
                keys,
                where: { [draft] (registration) throws(Failure) in
                    guard flow.isAllowed(by: registration) else { return false }
                    guard let resource else { return true }
                    return try resource.canUse(registration, of: draft)
                })
        {
            return .registered(registration)
        }
        if let resource, flow.hasUser, let registration = try await register(draft, for: resource) {
            return .registered(registration)
        }
        let registration = flow.hasUser || flow == .clientCredentials ? await registrationCommand(for: draft) : nil
        guard ClientQuestion.canAsk(console) else {
            throw try provider.missingClientID(draft, needsCallback: needsCallback, registration: registration)
        }
        let profile = try Failure.translating { try draft.profile() }
        let client = try ClientQuestion(console: console, profile: profile).client(
            try provider.advice(for: draft, profile), needsCallback: needsCallback, registration: registration)
        return .asked(client)
    }

    /// Asks the user for the secret of a client that needs one and has none.
    ///
    /// - Returns: Whether the user entered one.
    func askSecret(of settings: inout AccountSettings, _ found: FoundClient?) throws(Failure) -> Bool {
        guard settings.client.secret == nil, settings.client.authentication != ClientAuthenticationMethod.none,
            ClientQuestion.canAsk(console)
        else { return false }
        let profile = try Failure.translating { try settings.profile() }
        let guide = profile.quirks.registration
        let isUnneeded = request.flow == .device && profile.quirks.requests.devicesNeedNoClientSecret
        let isRequired = guide.secret == .required && !isUnneeded
        guard isRequired || (found?.isAsked ?? false && guide.secret == .optional) else { return false }
        settings.client.secret = try ClientQuestion(console: console, profile: profile).secret(isRequired: isRequired)
        return settings.client.secret != nil
    }

    /// Returns the command that registers a client at the server; nil if the server does not allow that, or does not say so now.
    private func registrationCommand(for draft: AccountSettings) async -> String? {
        guard draft.provider.isIssuer, let profile = try? draft.profile() else { return nil }
        let server = AuthorizationServer(profile, dependencies: network.dependencies())
        guard (try? await server.provider(needing: [.registration]))?.endpoints?.registration != nil else { return nil }
        return "authhub client register \(draft.provider.name.shellWord)\(request.provider.transport.suffix)"
    }
}
