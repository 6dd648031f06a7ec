import AuthHub
import CredentialStorage
import OAuthProtocol
import Platform

extension SignInService {
    /// Adds the other redirect URIs of a client that the tool has registered, in case the port of the usual one is in use.
    func addRedirectURIs(to settings: inout AccountSettings) async {
        guard request.provider.port == nil, request.provider.callback == nil, settings.resource != nil else { return }
        settings.client.otherRedirectURIs = await RegistrationBook(store: store).registrar.otherRedirectURIs(of: settings)
    }

    /// Registers a client for sign-ins that begin at a resource, and stores it for all accounts at the server (RFC 7591).
    ///
    /// - Returns: nil if the server does not let clients register themselves.
    func register(
        _ draft: AccountSettings, for resource: LoginResource
    ) async throws(Failure) -> ClientRegistration? {
        var settings = draft
        resource.bind(&settings)
        var profile = try Failure.translating { try settings.profile() }
        if resource.protection.hasDefaultEndpoints {
            profile.endpoints?.registration = resource.protection.server.endpoints.registration
        }
        let server = AuthorizationServer(profile, dependencies: network.dependencies(for: settings))
        let issuer = settings.provider.name
        do {
            guard
                let (client, isNew) = try await RegistrationBook(store: store).registrar.registration(
                    for: resource.protection, at: server, port: request.provider.port)
            else {
                return nil
            }
            guard isNew else { return client }
            let key = RegistrationKey(issuer: issuer, resource: resource.indicator.text)
            let report = RegistrationReport(key, client)
            report.warn(on: console)
            console.say(
                "Registered the client \(report.clientID) at \(issuer); authhub client show \(key.words)\(request.provider.transport.suffix) describes it."
            )
            return client
        } catch {
            throw Failure(error, registering: issuer.shellWord)
        }
    }
}
