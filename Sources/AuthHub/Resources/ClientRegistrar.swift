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
            let earlier = try await stored(at: issuer)
            if let earlier, earlier.isUsable(for: protection.scope, at: now()) { return .success((earlier, isNew: false)) }
            guard provider.endpoints?.registration != nil else { return .success(nil) }
            // Other resources of the server may need what the client was registered for before.
            let scope = protection.registrableScope.map { $0.union(earlier?.metadata.scope ?? []) }
            let metadata = ClientMetadata.native(name, at: provider, issuer: issuer, port: port, scope: scope)
            if let earlier, let changed = try await widened(earlier, to: scope, at: server, of: issuer) {
                return .success((changed, isNew: false))
            }
            let registration = try await server.register(metadata)
            do {
                try registration.checkRedirectURIs(asRequestedIn: metadata)
                try await save(registration, at: issuer)
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

extension ClientRegistrar {
    /// Requests more scope for a client that is registered (RFC 7592); nil if that is not possible.
    private func widened(
        _ registration: ClientRegistration, to scope: Scope?, at server: AuthorizationServer, of issuer: String
    ) async throws -> ClientRegistration? {
        guard registration.isManageable, registration.clientSecretExpiresAt.map({ $0 > now() }) ?? true else { return nil }
        var metadata = registration.metadata
        metadata.scope = scope
        guard let changed = try? await server.update(registration, to: metadata),
            changed.clientID.hasSameBytes(as: registration.clientID),
            (try? changed.checkRedirectURIs(asRequestedIn: metadata)) != nil
        else { return nil }
        // Even if the scope is still too small, the server may have replaced the secret or the registration access token.
        try await save(changed, at: issuer)
        return changed.isUsable(for: scope, at: now()) ? changed : nil
    }

    private func save(_ registration: ClientRegistration, at issuer: String) async throws {
        guard try await store.overwrite(.registration(at: issuer), with: registration.serialized()) != nil else {
            throw SessionError(.storeFailed, "other programs keep changing the stored registration; try again")
        }
    }
}

extension ClientRegistration {
    /// Checks that the server has not registered other redirect URIs, which would determine the port that this machine listens at.
    fileprivate func checkRedirectURIs(asRequestedIn requested: ClientMetadata) throws(SessionError) {
        let expected = (requested.redirectURIs ?? []).compactMap { RedirectURI($0) }
        for text in metadata.redirectURIs ?? [] {
            guard let uri = RedirectURI(text), expected.contains(where: { $0 == uri || $0.withAnyPort == uri }) else {
                throw SessionError(
                    .serverMisbehaved, "the server registered the redirect URI \(displayable(text, limit: 200)), which was not requested")
            }
        }
    }
}

extension RedirectURI {
    fileprivate var withAnyPort: Self { if case .loopback(_, let path) = kind { .loopback(path: path) } else { self } }
}

extension CredentialAccount {
    /// The server in the names of these records.
    package static let registrations = "authhub:registrations"

    /// The record of the client that was registered at an issuer. Programs that share a store share the client.
    package static func registration(at issuer: String) -> Self {
        Self(server: registrations, clientID: "authhub", label: issuer)
    }
}
