import CredentialStorage
package import OAuthProtocol

extension OAuthAccounts {
    /// Whether the tokens of an account were revoked.
    package enum RevocationOutcome: Sendable, Hashable {
        /// Nothing is stored under the label.
        case nobody
        /// The server cannot revoke tokens; the record is unchanged.
        case notOffered
        /// The server has confirmed the revocation of all stored tokens.
        case revoked
    }

    /// Revokes the tokens of an account at the server (RFC 7009), and deletes them once the server has confirmed that.
    ///
    /// The order is the opposite of ``remove(_:of:client:dependencies:)``: if the server cannot be reached, nothing has changed. Tokens
    /// that were refreshed in the meantime are revoked, too.
    ///
    /// - Parameter keepsRecord: Whether to keep the record, which can no longer be used, for inspection.
    /// - Throws: ``SessionError``: `.storeFailed`, `.unreachable` or `.serverRejected`. The record is unchanged then.
    package func revoke(
        _ label: String = "default", of server: ProviderProfile, client: OAuthClient, keepsRecord: Bool = false, dependencies: Dependencies
    ) async throws(SessionError) -> RevocationOutcome {
        let account = CredentialAccount(server: server.identity, clientID: client.id, label: label)
        let backChannel = BackChannel(dependencies)
        let directory = ServerDirectory(server, clientID: client.id, tokenOrigins: [], backChannel: backChannel)
        let revoker = Revoker(client: client, server: directory, backChannel: backChannel)
        for _ in 0..<8 {
            guard let stored = try await store.credential(of: account) else { return .nobody }
            guard try await revoker.revoke(stored.credential) else { return .notOffered }
            do throws(CredentialStoreError) {
                if keepsRecord {
                    if try await store.read(account)?.version == stored.version { return .revoked }
                } else if try await store.delete(account, at: stored.version) {
                    return .revoked
                }
            } catch {
                throw SessionError(error)
            }
        }
        throw SessionError(.storeFailed, "other programs keep changing the stored credential")
    }

    /// Introspects the stored access token of an account (RFC 7662), without refreshing it.
    ///
    /// - Parameter asker: The client that sends the request, if it is not the account's own: most servers respond only to clients with a
    ///   secret.
    /// - Returns: The server's response about the token; nil if nothing is stored under the label.
    /// - Throws: ``SessionError`` as ``AuthorizationServer/introspect(_:hint:as:)`` does, and `.storeFailed`.
    package func introspect(
        _ label: String = "default", of server: ProviderProfile, client: OAuthClient, asker: OAuthClient? = nil, dependencies: Dependencies
    ) async throws(SessionError) -> IntrospectionResponse? {
        let account = CredentialAccount(server: server.identity, clientID: client.id, label: label)
        guard let stored = try await store.credential(of: account) else { return nil }
        return try await AuthorizationServer(server, dependencies: dependencies).introspect(stored.credential, as: asker ?? client)
    }
}
