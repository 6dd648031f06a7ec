import CredentialStorage
public import OAuthProtocol

extension OAuthAccounts {
    /// What became of tokens that were to be revoked.
    public enum RevocationOutcome: Sendable, Hashable {
        /// Nothing is stored under the label.
        case nobody
        /// The server has no way to revoke; what is stored was left as it is.
        case notOffered
        /// The server has confirmed it for all that was stored.
        case revoked
    }

    /// Has the server end the tokens of an account (RFC 7009), and deletes them here once it has confirmed that.
    ///
    /// The other way round than ``remove(_:of:client:dependencies:)``: where the server cannot be told, nothing has changed. Tokens that were
    /// renewed meanwhile are revoked, too.
    ///
    /// - Parameter keepsRecord: Whether to leave the record that is of no use any more, for a look at it.
    /// - Throws: ``SessionError``: `.storeFailed`, `.unreachable`, `.serverRejected`; then what is stored is there still.
    public func revoke(
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

    /// Asks the server what the stored access token of an account is (RFC 7662), without renewing it.
    ///
    /// - Parameter asker: Who asks, where that is not the account's own client: servers mostly answer only clients with a secret.
    /// - Returns: nil where nothing is stored under the label.
    /// - Throws: ``SessionError`` as ``AuthorizationServer/introspect(_:hint:as:)`` does, and `.storeFailed`.
    public func introspect(
        _ label: String = "default", of server: ProviderProfile, client: OAuthClient, asker: OAuthClient? = nil, dependencies: Dependencies
    ) async throws(SessionError) -> IntrospectionResponse? {
        let account = CredentialAccount(server: server.identity, clientID: client.id, label: label)
        guard let stored = try await store.credential(of: account) else { return nil }
        return try await AuthorizationServer(server, dependencies: dependencies).introspect(stored.credential, as: asker ?? client)
    }
}
