import AuthHub
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// Adds the other redirect URIs of a client that the tool has registered, in case the port of the usual one is in use.
    func addRedirectURIs(to settings: inout AccountSettings, from book: RegistrationBook) async {
        guard port == nil, callback == nil, settings.resource != nil,
            let registration = (try? await book.registration(at: settings.provider.name)) ?? nil,
            registration.clientID.hasSameBytes(as: settings.client.id)
        else { return }
        settings.client.otherRedirectURIs = registration.redirectURIs(insteadOf: settings.client.redirectURI)
    }

    /// Registers a client for sign-ins that begin at a resource, and stores it for all accounts at the server (RFC 7591).
    ///
    /// - Returns: nil if the server does not let clients register themselves.
    func register(
        _ draft: AccountSettings, for resource: LoginResource, in book: RegistrationBook, _ console: Console
    ) async throws(Failure) -> ClientRegistration? {
        var settings = draft
        resource.bind(&settings)
        var profile = try Failure.translating { try settings.profile() }
        if resource.protection.hasDefaultEndpoints {
            profile.endpoints?.registration = resource.protection.server.endpoints.registration
        }
        let server = AuthorizationServer(profile, dependencies: ToolNetwork.current.dependencies(for: settings))
        let issuer = settings.provider.name
        do {
            let provider = try await server.provider(needing: [.registration])
            guard provider.endpoints?.registration != nil else { return nil }
            // A host may start several processes at once.
            let lease = try await book.lease(of: issuer)
            let outcome = await registration(at: server, provider, for: resource, in: book)
            await lease.release()
            let (registration, isNew) = try outcome.get()
            guard isNew else { return registration }
            let report = RegistrationReport(issuer: issuer, registration: registration)
            report.warn(on: console)
            console.say(
                "Registered the client \(report.clientID) at \(issuer); authhub client show \(issuer.shellWord)\(loopback.suffix) describes it."
            )
            return registration
        } catch let error as SessionError {
            throw Failure(error, registering: issuer.shellWord)
        } catch {
            throw Failure(cause: error)
        }
    }
}

extension ProviderOptions {
    /// Returns the client that another process has registered in the meantime, or registers one.
    private func registration(
        at server: AuthorizationServer, _ provider: ProviderProfile, for resource: LoginResource, in book: RegistrationBook
    ) async -> Result<(ClientRegistration, isNew: Bool), any Error> {
        do {
            if let registered = try await book.registration(at: resource.issuer),
                registered.isUsable(for: resource.protection.scope, at: Date())
            {
                return .success((registered, isNew: false))
            }
            let registration = try await server.register(
                .native("AuthHub", at: provider, issuer: resource.issuer, port: port, scope: resource.protection.registrableScope))
            do throws(Failure) {
                try await book.save(registration, at: resource.issuer)
            } catch {
                // Otherwise, no one could ever use or delete it.
                try? await server.delete(registration)
                throw error
            }
            return .success((registration, isNew: true))
        } catch {
            return .failure(error)
        }
    }
}
