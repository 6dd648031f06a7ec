import AuthHubPrimitives
public import CredentialStorage
public import OAuthProtocol

/// The accounts in a store, of all servers, clients and labels. No session is needed to list or remove accounts.
///
/// Accounts are identified by server, client and label, compared byte for byte. An operation on one account never affects another. Records
/// that are not accounts are left out; see ``CredentialStorage/CredentialAccount/isListed``.
public struct OAuthAccounts: Sendable {
    let store: any CredentialStore

    /// Creates a list of the accounts in a store. Does not read the store.
    public init(store: any CredentialStore) {
        self.store = store
    }

    /// The accounts in a store, and the records that cannot be read.
    public struct Listing: Sendable {
        /// The accounts, ordered by server, client and label, each in the order of its UTF-8 bytes.
        public let accounts: [OAuthAccount]
        /// The errors of records that cannot be read. The accounts of these records are unknown. To delete damaged records, call
        /// ``CredentialStorage/CredentialInventory/removeUnreadable()`` on the store.
        public let unreadable: [SessionError]
    }
}

extension OAuthAccounts {
    /// Lists the accounts in the store. Sends no requests to a server.
    ///
    /// - Parameters:
    ///   - server: The server whose accounts to list; nil for all servers.
    ///   - client: The client whose accounts to list; nil for all clients.
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be listed. A record that cannot be read is not an error.
    public func list(of server: ProviderProfile? = nil, client: OAuthClient? = nil) async throws(SessionError) -> Listing {
        let (names, unreadable) = try await names(of: server, client: client)
        var accounts: [OAuthAccount] = []
        for name in names {
            if let account = await account(name) { accounts.append(account) }
        }
        return Listing(accounts: accounts, unreadable: unreadable)
    }

    /// Lists the names of the accounts without reading their records, in the order of ``list(of:client:)``. Some of the accounts may be
    /// signed out.
    func names(
        of server: ProviderProfile?, client: OAuthClient?
    ) async throws(SessionError) -> (accounts: [CredentialAccount], unreadable: [SessionError]) {
        do throws(CredentialStoreError) {
            let (names, unreadable) = try await names()
            let wanted = names.filter { name in
                name.isListed && server?.identity.hasSameBytes(as: name.server) ?? true
                    && client?.id.hasSameBytes(as: name.clientID) ?? true
            }
            return (wanted.sorted(by: Self.areInOrder), unreadable)
        } catch {
            throw SessionError(error)
        }
    }

    /// Reads one account from the store, without a request to a server.
    ///
    /// - Returns: The account, even if its record cannot be read; nil if the account is signed out.
    package func account(_ account: CredentialAccount) async -> OAuthAccount? {
        do {
            guard let stored = try await store.credential(of: account) else { return nil }
            let held = HeldCredential(credential: stored.credential, version: stored.version, generation: 0)
            return OAuthAccount(
                account: account, content: .signedIn(SessionState.SignedIn(held, isRefreshing: false, problem: nil, nextAttempt: nil)),
                refreshTokenExpiresAt: stored.credential.refreshTokenExpiresAt,
                identity: stored.credential.idToken.flatMap(IDToken.init(stored:)), user: stored.credential.knownUser)
        } catch {
            return OAuthAccount(account: account, content: .unreadable(error), refreshTokenExpiresAt: nil)
        }
    }

    /// Signs an account out without a session: deletes its records, then revokes its tokens at the server.
    ///
    /// The records of the account and of its pending sign-ins are deleted even if they cannot be read. Revoking takes at most ten seconds.
    /// If the store reports changes (`CredentialChangeFeed`), running sessions of the account in all processes are signed out immediately.
    /// Otherwise, these sessions keep using their access token until they have to refresh it or the server rejects it.
    public func remove(
        _ label: String = "default", of server: ProviderProfile, client: OAuthClient, dependencies: Dependencies
    ) async -> SignOutReport {
        await remove(label, of: server, client: client, dependencies: dependencies, if: nil)
    }

    /// - Parameter isMeant: Whether the stored credential is the one to sign out, so that a newer sign-in stays; nil for any.
    func remove(
        _ label: String, of server: ProviderProfile, client: OAuthClient, dependencies: Dependencies,
        if isMeant: (@Sendable (Credential) -> Bool)?
    ) async -> SignOutReport {
        let account = CredentialAccount(server: server.identity, clientID: client.id, label: label)
        let backChannel = BackChannel(dependencies)
        let revoker = Revoker(
            client: client, server: ServerDirectory(server, clientID: client.id, tokenOrigins: [], backChannel: backChannel),
            backChannel: backChannel)
        // Cancelling the caller ends only the wait for another process.
        let deletion = CredentialDeletion(account: account, store: store, logger: dependencies.logger, isMeant: isMeant)
        let deleting = Task { await deletion.perform() }
        let outcome = await withTaskCancellationHandler {
            await deleting.value
        } onCancel: {
            deleting.cancel()
        }
        return await Task {
            SignOutReport(revocation: await revoker.revoke(outcome, on: dependencies.clock), problem: outcome.problem)
        }.value
    }

    /// Returns whether tokens of an earlier sign-out are not revoked at the server yet. Another sign-out revokes them.
    package func hasUnfinishedSignOut(_ account: CredentialAccount) async -> Bool {
        await UnfinishedSignOut(account: account, store: store).credential() != nil
    }

    /// Deletes the records of an account and of its sign-ins in progress, even if they cannot be read, without revoking the tokens. The
    /// tokens stay valid at the server until they expire.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed`.
    public func forget(_ account: CredentialAccount) async throws(SessionError) {
        do throws(CredentialStoreError) {
            try await store.delete(account.signIns, at: nil)
            try await store.delete(account, at: nil)
            try await store.delete(account.signOut, at: nil)
        } catch {
            throw SessionError(error)
        }
    }

    /// Removes the records, of all accounts, that cannot be read; see ``Listing/unreadable``.
    ///
    /// - Returns: The number of removed records; 0 for a store that cannot find them.
    @discardableResult
    public func removeUnreadable() async throws(SessionError) -> Int {
        do throws(CredentialStoreError) {
            return try await (store as? any CredentialInventory)?.removeUnreadable() ?? 0
        } catch {
            throw SessionError(error)
        }
    }

    private static func areInOrder(_ left: CredentialAccount, _ right: CredentialAccount) -> Bool {
        for name in [\CredentialAccount.server, \.clientID, \.label] where !left[keyPath: name].hasSameBytes(as: right[keyPath: name]) {
            return left[keyPath: name].utf8.lexicographicallyPrecedes(right[keyPath: name].utf8)
        }
        return false
    }

    private func names() async throws(CredentialStoreError) -> ([CredentialAccount], unreadable: [SessionError]) {
        guard let store = store as? any CredentialInventory else { return (try await store.accounts(), []) }
        let inventory = try await store.inventory()
        return (inventory.accounts, inventory.unreadable.map { SessionError($0) })
    }
}
