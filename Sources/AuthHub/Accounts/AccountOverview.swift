package import CredentialStorage
package import Platform

/// An overview of all accounts in a store: those with settings, by label, and tokens without settings.
package struct AccountOverview: Sendable {
    /// The entries, sorted by label; those without settings come last.
    package let entries: [Entry]
    /// The reasons why some records cannot be opened, so that their accounts are unknown.
    package let unreadable: [CredentialStoreError]

    package struct Entry: Sendable {
        package enum State: String, Sendable {
            case signedIn = "signed_in"
            case renewable, expired, unreadable
            /// Signed out here, but the tokens are not revoked yet.
            case revocationPending = "revocation_pending"
            /// There are tokens, but their settings were deleted.
            case withoutSettings = "without_settings"
        }

        package let label: String
        package let state: State
        /// The settings; nil if they are missing or unreadable.
        package let settings: AccountSettings?
        /// The server of the sign-in; nil if unknown.
        package let server: String?
        package let clientID: String?
        /// The properties of the tokens; nil if there are none, or they cannot be read.
        package let facts: SessionState.SignedIn?
        package let isRenewable: Bool
        /// The user whom the tokens belong to; nil if unknown.
        package var user: SignedInUser?
        /// The problem with the record of the settings or of the tokens; nil if both can be read.
        package var problem: SessionError?
    }
}

extension AccountBook {
    /// Reads the settings and tokens of all accounts. Sends no requests to a server.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be listed.
    package func overview(at now: Date) async throws(SessionError) -> AccountOverview {
        let accounts = OAuthAccounts(store: store)
        let listing = try await list()
        var entries: [AccountOverview.Entry] = []
        var named: Set<CredentialAccount> = []
        for label in listing.labels {
            let settings: AccountSettings
            let account: CredentialAccount
            do throws(SessionError) {
                guard let stored = try await self.settings(of: label) else { continue }
                (settings, account) = (stored, try stored.account(label: label))
            } catch {
                entries.append(.init(unreadable: label, problem: error))
                continue
            }
            named.insert(account)
            let tokens = await accounts.account(account)
            let isPending = tokens == nil ? await accounts.hasUnfinishedSignOut(account) : false
            entries.append(.init(label: label, settings: settings, tokens: tokens, isRevocationPending: isPending, now: now))
        }
        let stored = try await accounts.list()
        entries += stored.accounts.filter { !named.contains($0.account) }.map { .init(withoutSettings: $0, now: now) }
        return AccountOverview(entries: entries, unreadable: listing.unreadable)
    }
}

extension AccountOverview.Entry {
    fileprivate init(unreadable label: String, problem: SessionError) {
        self.init(
            label: label, state: .unreadable, settings: nil, server: nil, clientID: nil, facts: nil, isRenewable: false, problem: problem)
    }

    fileprivate init(label: String, settings: AccountSettings, tokens: OAuthAccount?, isRevocationPending: Bool, now: Date) {
        let state: State =
            switch tokens?.status(at: now) {
            case .signedIn: .signedIn
            case .renewable: .renewable
            case .unreadable: .unreadable
            case .expired: settings.signsInWithoutPage ? .renewable : .expired
            case nil: isRevocationPending ? .revocationPending : .expired
            }
        var problem: SessionError?
        if case .unreadable(let error)? = tokens?.content { problem = error }
        self.init(
            label: label, state: state, settings: settings, server: settings.server, clientID: settings.client.id, facts: tokens?.signedIn,
            isRenewable: tokens.map { $0.isRenewable(at: now) || settings.signsInWithoutPage } ?? false, user: tokens?.user,
            problem: problem)
    }

    fileprivate init(withoutSettings account: OAuthAccount, now: Date) {
        self.init(
            label: account.label, state: .withoutSettings, settings: nil, server: account.account.server,
            clientID: account.account.clientID, facts: account.signedIn, isRenewable: account.isRenewable(at: now), user: account.user)
    }
}
