import AuthHubPrimitives
import OAuthProtocol
import Platform

/// Provides the client for each issuer: the given one, the published document, or one that is registered and stored.
struct ResourceClients: Sendable {
    let client: ResourceSession.Client
    let registrar: ClientRegistrar
    let now: @Sendable () -> Date

    init(_ configuration: ResourceSession.Configuration) {
        (client, now) = (configuration.client, configuration.dependencies.now)
        registrar = ClientRegistrar(name: client.name, store: configuration.store, now: now)
    }

    /// Returns the client for the server of a resource (MCP).
    ///
    /// - Throws: ``SessionError`` with `.misconfigured` if there is none and the server registers none.
    func client(for protection: ResourceProtection, at profile: ProviderProfile, dependencies: Dependencies) async throws(SessionError)
        -> OAuthClient
    {
        let issuer = protection.server.issuer
        if let registered = client.registered { return registered.client }
        if let document = client.document, protection.server.supportsClientIDDocuments {
            return OAuthClient(id: document.url, redirectURI: document.redirectURI, authentication: ClientAuthenticationMethod.none)
        }
        let server = AuthorizationServer(profile, dependencies: dependencies)
        guard let (registration, _) = try await registrar.registration(for: protection, at: server) else {
            throw SessionError(
                .misconfigured,
                "\(displayable(issuer, limit: 200)) does not support client registration; register a client there, and pass it to the session"
            )
        }
        do throws(any Error) {
            let usual = registration.metadata.redirectURIs?.first.flatMap { RedirectURI($0) } ?? .loopback(forClientsOf: issuer)
            var client = try registration.client(at: try await server.provider(), redirectURI: usual, at: now())
            client.otherRedirectURIs = registration.redirectURIs(insteadOf: usual)
            return client
        } catch {
            throw SessionError(cause: error)
        }
    }
}
