import AuthHubPrimitives
package import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The clients with which a program signs in at the servers of resources: given ones, a published document, or clients that register
/// themselves and are stored, one per issuer.
struct ResourceClients: Sendable {
    let name: String
    /// The client to use instead, and only at this issuer.
    let given: (client: OAuthClient, issuer: String)?
    /// The URL of the program's client metadata document.
    let document: String?
    /// The redirect URI of the document's client.
    let redirectURI: RedirectURI
    let store: any CredentialStore
    let now: @Sendable () -> Date

    /// Returns the client for the server of a resource (MCP).
    ///
    /// - Throws: ``SessionError`` with `.misconfigured` if there is none and the server registers none.
    func client(for protection: ResourceProtection, at profile: ProviderProfile, dependencies: Dependencies) async throws(SessionError)
        -> OAuthClient
    {
        let issuer = protection.server.issuer
        if let given {
            guard given.issuer.hasSameBytes(as: issuer) else {
                throw SessionError(
                    .misconfigured,
                    "the client \(displayable(given.client.id, limit: 200)) is registered at \(displayable(given.issuer, limit: 200)), but \(protection.resource.resource) names \(displayable(issuer, limit: 200)); it was not shown there"
                )
            }
            return given.client
        }
        if let document, protection.server.supportsClientIDDocuments {
            return OAuthClient(id: document, redirectURI: redirectURI, authentication: ClientAuthenticationMethod.none)
        }
        let server = AuthorizationServer(profile, dependencies: dependencies)
        let provider = try await server.provider(needing: [.registration])
        do throws(any Error) {
            // Several processes may begin at once.
            let lease = try await store.lease(.registration(at: issuer), waitingAtMost: .seconds(60))
            let outcome = await registration(for: protection, at: server, provider)
            await lease.release()
            let registration = try outcome.get()
            let usual = registration.metadata.redirectURIs?.first.flatMap { RedirectURI($0) } ?? .loopback(forClientsOf: issuer)
            var client = try registration.client(at: provider, redirectURI: usual, at: now())
            client.otherRedirectURIs = registration.redirectURIs(insteadOf: usual)
            return client
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Returns the redirect URIs of a stored client to use if the port of the usual one is in use.
    func otherRedirectURIs(of client: OAuthClient, at issuer: String) async -> [RedirectURI] {
        guard let stored = try? await store.read(.registration(at: issuer)),
            let registration = try? ClientRegistration(serialized: stored.payload), registration.clientID.hasSameBytes(as: client.id)
        else { return [] }
        return registration.redirectURIs(insteadOf: client.redirectURI)
    }

    private func registration(
        for protection: ResourceProtection, at server: AuthorizationServer, _ provider: ProviderProfile
    ) async -> Result<ClientRegistration, any Error> {
        let issuer = protection.server.issuer
        do throws(any Error) {
            if let stored = try await store.read(.registration(at: issuer)),
                let registration = try? ClientRegistration(serialized: stored.payload),
                registration.isUsable(for: protection.scope, at: now())
            {
                return .success(registration)
            }
            guard provider.endpoints?.registration != nil else {
                throw SessionError(
                    .misconfigured,
                    "\(displayable(issuer, limit: 200)) lets no client register itself; register one there, and name it when you create the session"
                )
            }
            let registration = try await server.register(
                .native(name, at: provider, issuer: issuer, scope: protection.registrableScope))
            guard try await store.overwrite(.registration(at: issuer), with: registration.serialized()) != nil else {
                throw SessionError(.storeFailed, "other programs keep changing the stored registration")
            }
            return .success(registration)
        } catch {
            return .failure(error)
        }
    }
}

extension CredentialAccount {
    /// The server in the names of these records.
    package static let registrations = "authhub:registrations"

    /// The record of the client that was registered at an issuer. Programs that share a store share the client.
    package static func registration(at issuer: String) -> Self {
        Self(server: registrations, clientID: "authhub", label: issuer)
    }
}
