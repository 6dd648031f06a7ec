import AuthHubPrimitives
public import CredentialStorage
public import OAuthProtocol

/// The accounts that are signed in, of all servers, clients and labels that share a store; no session has to run for them.
///
/// Each account is on its own: what is done to one touches no other that differs in server, client or label by so much as a byte.
/// What stores keep beside accounts is not among them (``CredentialStorage/CredentialAccount/isListed``).
public struct OAuthAccounts: Sendable {
    let store: any CredentialStore

    public init(store: any CredentialStore) {
        self.store = store
    }

    /// What ``list(of:client:)`` found.
    public struct Listing: Sendable {
        /// Ordered by server, client and label, each by its bytes.
        public let accounts: [OAuthAccount]
        /// Records that do not open, so that it is unknown whose they are; ``OAuthAccounts/removeUnreadable()`` removes them.
        public let unreadable: [SessionError]
    }
}

extension OAuthAccounts {
    /// Lists the accounts, by what is stored: no server is asked. Only records that are asked for are read.
    ///
    /// - Parameters:
    ///   - server: nil for all.
    ///   - client: nil for all.
    /// - Throws: ``SessionError`` with `.storeFailed` where the store cannot be listed. A record that cannot be read is no reason.
    public func list(of server: ProviderProfile? = nil, client: OAuthClient? = nil) async throws(SessionError) -> Listing {
        let (names, unreadable) = try await names()
        var accounts: [OAuthAccount] = []
        for name in names.sorted(by: Self.areInOrder) {
            guard name.isListed, server?.identity.hasSameBytes(as: name.server) ?? true,
                client?.id.hasSameBytes(as: name.clientID) ?? true, let account = await account(name)
            else { continue }
            accounts.append(account)
        }
        return Listing(accounts: accounts, unreadable: unreadable)
    }

    /// Reads one account, by what is stored: no server is asked.
    ///
    /// - Returns: nil where the account is signed out. A record that cannot be read is an account, too.
    public func account(_ account: CredentialAccount) async -> OAuthAccount? {
        do {
            guard let stored = try await store.credential(of: account) else { return nil }
            let held = HeldCredential(credential: stored.credential, version: stored.version, generation: 0)
            return OAuthAccount(
                account: account, content: .signedIn(SessionState.SignedIn(held, isRefreshing: false, problem: nil, nextTry: nil)),
                refreshTokenExpiresAt: stored.credential.refreshTokenExpiresAt)
        } catch {
            return OAuthAccount(account: account, content: .unreadable(error), refreshTokenExpiresAt: nil)
        }
    }

    /// Signs an account out as ``OAuthSession/signOut(endingServerSession:)`` does, without a session: what is stored of it and of its
    /// sign-ins under way is deleted, readable or not, and then revoked, for ten seconds at most.
    ///
    /// Running sessions of the account, in whatever process, are signed out at once where the store tells of changes
    /// (`CredentialChangeFeed`). Else they go on with the access token they have until it has to be renewed, or the server refuses it.
    public func remove(
        _ label: String = "default", of server: ProviderProfile, client: OAuthClient, dependencies: Dependencies
    ) async -> SignOutReport {
        let account = CredentialAccount(server: server.identity, clientID: client.id, label: label)
        let backChannel = BackChannel(dependencies)
        let revoker = Revoker(
            client: client, server: ServerDirectory(server, clientID: client.id, tokenOrigins: [], backChannel: backChannel),
            backChannel: backChannel)
        // Cancelling the caller ends only the wait for another process.
        let deleting = Task { [store] in await CredentialDeletion(account: account, store: store, logger: dependencies.logger).perform() }
        let deletion = await withTaskCancellationHandler {
            await deleting.value
        } onCancel: {
            deleting.cancel()
        }
        return await Task {
            SignOutReport(revocation: await revoker.revoke(deletion, on: dependencies.clock), problem: deletion.problem)
        }.value
    }

    /// Whether a sign-out of the account has yet to revoke tokens at the server. Another sign-out revokes them.
    package func hasUnfinishedSignOut(_ account: CredentialAccount) async -> Bool {
        await UnfinishedSignOut(account: account, store: store).credential() != nil
    }

    /// Deletes what is stored of an account and of its sign-ins under way, readable or not, and tells nobody: its tokens live on at the
    /// server until they end.
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

    /// Removes the records that do not open, whosever they are; see ``Listing/unreadable``.
    ///
    /// - Returns: How many there were; 0 for a store that cannot tell.
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

    private func names() async throws(SessionError) -> ([CredentialAccount], unreadable: [SessionError]) {
        do throws(CredentialStoreError) {
            guard let store = store as? any CredentialInventory else { return (try await store.accounts(), []) }
            let inventory = try await store.inventory()
            return (inventory.accounts, inventory.unreadable.map { SessionError($0) })
        } catch {
            throw SessionError(error)
        }
    }
}
