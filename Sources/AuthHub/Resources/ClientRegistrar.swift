import AuthHubPrimitives
package import CredentialStorage
package import OAuthProtocol

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Registers clients at the servers of resources, once for all processes that share a store.
package struct ClientRegistrar: Sendable {
    /// The name that users see when they sign in.
    private let name: String
    private let store: any CredentialStore
    private let now: @Sendable () -> Date

    package init(name: String, store: any CredentialStore, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.name, self.store, self.now) = (name, store, now)
    }

    /// Returns the stored client of a resource's server, or registers one and stores it.
    ///
    /// - Parameter port: The port of the redirect URI; nil for several, of which one is free.
    /// - Returns: The client, and whether it has just been registered; nil if the server does not support client registration.
    /// - Throws: ``SessionError``, as ``AuthorizationServer/register(_:accessToken:)`` does; `.storeFailed` if the store fails.
    package func registration(
        for protection: ResourceProtection, at server: AuthorizationServer, port: UInt16? = nil
    ) async throws(SessionError) -> (client: ClientRegistration, isNew: Bool)? {
        do throws(any Error) {
            let provider = try await server.provider(needing: [.registration])
            // A host may start several processes at once.
            let lease = try await store.lease(.registration(at: protection.server.issuer), waitingAtMost: .seconds(60))
            let outcome = await leased(protection, at: server, provider, port: port)
            await lease.release()
            return try outcome.get()
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Returns the redirect URIs of a stored client to use if the port of the usual one is in use.
    func otherRedirectURIs(of client: OAuthClient, at issuer: String) async -> [RedirectURI] {
        guard let registration = try? await stored(at: issuer), registration.clientID.hasSameBytes(as: client.id) else { return [] }
        return registration.redirectURIs(insteadOf: client.redirectURI)
    }

    private func stored(at issuer: String) async throws -> ClientRegistration? {
        try await store.read(.registration(at: issuer)).flatMap { try? ClientRegistration(serialized: $0.payload) }
    }

    private func leased(
        _ protection: ResourceProtection, at server: AuthorizationServer, _ provider: ProviderProfile, port: UInt16?
    ) async -> Result<(client: ClientRegistration, isNew: Bool)?, any Error> {
        let issuer = protection.server.issuer
        do throws(any Error) {
            if let stored = try await stored(at: issuer), stored.isUsable(for: protection.scope, at: now()) {
                return .success((stored, isNew: false))
            }
            guard provider.endpoints?.registration != nil else { return .success(nil) }
            let registration = try await server.register(
                .native(name, at: provider, issuer: issuer, port: port, scope: protection.registrableScope))
            do {
                guard try await store.overwrite(.registration(at: issuer), with: registration.serialized()) != nil else {
                    throw SessionError(.storeFailed, "other programs keep changing the stored registration; try again")
                }
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

extension CredentialAccount {
    /// The server in the names of these records.
    package static let registrations = "authhub:registrations"

    /// The record of the client that was registered at an issuer. Programs that share a store share the client.
    package static func registration(at issuer: String) -> Self {
        Self(server: registrations, clientID: "authhub", label: issuer)
    }
}
