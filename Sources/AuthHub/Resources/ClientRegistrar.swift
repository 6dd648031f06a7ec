import AuthHubPrimitives
package import CredentialStorage
package import OAuthProtocol
package import Platform

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
            let lease = try await store.lease(protection.registrationKey.account, waitingAtMost: .seconds(60))
            let outcome = await leased(protection, at: server, provider, port: port)
            await lease.release()
            return try outcome.get()
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Returns the redirect URIs of an account's client to use if the port of the usual one is in use.
    package func otherRedirectURIs(of settings: AccountSettings) async -> [RedirectURI] {
        guard let registration = (try? await registration(of: settings)) ?? nil else { return [] }
        return registration.redirectURIs(insteadOf: settings.client.redirectURI)
    }

    /// Whether an account's client was registered here and its registration was deleted since, so that another client has to be registered.
    package func hasLostClient(of settings: AccountSettings) async throws -> Bool {
        guard settings.resource != nil, settings.hasRegisteredClient else { return false }
        return try await registration(of: settings) == nil
    }

    /// Deletes the registration of an account's client if the server no longer knows the client: the next sign-in registers another one.
    /// If another process has already replaced the registration, the new one is kept.
    ///
    /// - Parameter code: The error with which the server rejected a request; nil if it did not.
    /// - Returns: Whether the client was registered for a resource and the server no longer knows it; false if the store fails.
    package func forgetClient(of settings: AccountSettings, rejectedWith code: ServerErrorCode?) async -> Bool {
        guard code == .invalidClient, settings.resource != nil, settings.hasRegisteredClient else { return false }
        do {
            for key in settings.registrationKeys {
                guard let record = try await store.read(key.account), isClient(of: settings, record) else { continue }
                try await store.delete(key.account, at: record.version)
            }
            return true
        } catch {
            return false
        }
    }

    /// Returns the registration of an account's client; nil if there is none.
    private func registration(of settings: AccountSettings) async throws -> ClientRegistration? {
        for key in settings.registrationKeys {
            if let registration = try await stored(key), registration.clientID.hasSameBytes(as: settings.client.id) { return registration }
        }
        return nil
    }

    private func isClient(of settings: AccountSettings, _ record: StoredCredential) -> Bool {
        (try? ClientRegistration(serialized: record.payload))?.clientID.hasSameBytes(as: settings.client.id) ?? false
    }

    private func stored(_ key: RegistrationKey) async throws -> ClientRegistration? {
        try await store.read(key.account).flatMap { try? ClientRegistration(serialized: $0.payload) }
    }

    private func leased(
        _ protection: ResourceProtection, at server: AuthorizationServer, _ provider: ProviderProfile, port: UInt16?
    ) async -> Result<(client: ClientRegistration, isNew: Bool)?, any Error> {
        let (issuer, key) = (protection.server.issuer, protection.registrationKey)
        do throws(any Error) {
            let earlier = try await stored(key)
            if let earlier, earlier.isUsable(for: protection.scope, at: provider, at: now()) { return .success((earlier, isNew: false)) }
            guard provider.endpoints?.registration != nil else { return .success(nil) }
            // Other accounts for the resource may need what the client was registered for before.
            let scope = protection.registrableScope.map { $0.union(earlier?.metadata.scope ?? []) }
            let metadata = ClientMetadata.native(name, at: provider, issuer: issuer, port: port, scope: scope)
            if let earlier, let changed = try await widened(earlier, to: scope, at: server, provider, for: key) {
                return .success((changed, isNew: false))
            }
            let registration: ClientRegistration
            do throws(SessionError) {
                registration = try await server.register(metadata)
            } catch {
                // A server without metadata has not said that it registers clients.
                guard protection.hasDefaultEndpoints, let status = error.httpStatus, [404, 405].contains(status) else { throw error }
                return .success(nil)
            }
            do {
                try registration.checkRedirectURIs(asRequestedIn: metadata)
                try registration.checkUse(at: provider, at: now())
                try await save(registration, for: key)
            } catch {
                // Otherwise, no one could ever use or delete it.
                let isDeleted = (try? await server.delete(registration)) != nil
                guard let error = error as? OAuthError else { throw error }
                throw SessionError(
                    .serverMisbehaved,
                    "the client that the server registered cannot be used, and \(isDeleted ? "was deleted there" : "was not kept"): \(error.explanation)",
                    underlying: error)
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
        _ registration: ClientRegistration, to scope: Scope?, at server: AuthorizationServer, _ provider: ProviderProfile,
        for key: RegistrationKey
    ) async throws -> ClientRegistration? {
        guard registration.isManageable, registration.clientSecretExpiresAt.map({ $0 > now() }) ?? true else { return nil }
        var metadata = registration.metadata
        metadata.scope = scope
        guard let changed = try? await server.update(registration, to: metadata),
            changed.clientID.hasSameBytes(as: registration.clientID),
            (try? changed.checkRedirectURIs(asRequestedIn: metadata)) != nil
        else { return nil }
        // Even if the scope is still too small, the server may have replaced the secret or the registration access token.
        try await save(changed, for: key)
        return changed.isUsable(for: scope, at: provider, at: now()) ? changed : nil
    }

    private func save(_ registration: ClientRegistration, for key: RegistrationKey) async throws {
        guard try await store.overwrite(key.account, with: registration.serialized()) != nil else {
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

extension ResourceProtection {
    fileprivate var registrationKey: RegistrationKey { RegistrationKey(issuer: server.issuer, resource: resource.resource) }
}

extension SessionError {
    /// The status of the response that caused the error; nil if there was none.
    fileprivate var httpStatus: Int? {
        serverError?.status ?? ((underlying as? OAuthError)?.underlying as? UnexpectedStatus)?.code
    }
}
