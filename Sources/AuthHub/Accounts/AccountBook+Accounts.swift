import CredentialStorage

extension AccountBook {
    /// Moves an account to another label, with its settings and its tokens. The account stays signed in.
    ///
    /// Waits for a refresh that is in progress in any process, and never overwrites another account. If the call is interrupted, even because
    /// the process is killed, the account has at least one of the two labels, and calling this again finishes the move.
    ///
    /// - Throws: ``SessionError``: `.signInNeeded` if there is no such account; `.misconfigured` if another account already has the new
    ///   label; `.storeFailed` if the store fails, if a sign-in to one of the two labels is in progress, or if tokens of an earlier sign-out
    ///   are not revoked yet.
    public func relabel(_ label: String, as target: String) async throws(SessionError) {
        guard !target.hasSameBytes(as: label) else { return }
        try await AccountRelabeling(book: self, source: label, target: target).perform()
    }

    /// Removes an account from the store, with its settings and its tokens, and then revokes the tokens at the server, which takes at most
    /// ten seconds.
    ///
    /// Nothing of the account stays in the store, not even tokens that could not be revoked. To keep those for a later attempt, sign out
    /// (``OAuthSession/signOut(endingServerSession:)``) and then call ``forget(_:)``.
    ///
    /// - Returns: Whether the tokens were revoked. If the settings were damaged or missing, the tokens are deleted, and the result is
    ///   `.failed`, because the settings name the server.
    /// - Throws: ``SessionError``: `.signInNeeded` if nothing is stored under the label; `.misconfigured` if the provider cannot be used;
    ///   `.storeFailed` if the store fails.
    public func remove(
        _ label: String = "default", dependencies: Dependencies
    ) async throws(SessionError) -> SignOutReport.Revocation {
        switch try await remove(label, revoking: true, dependencies: { $0.guarded(dependencies) }) {
        case .signedOut(let revocation, _): revocation
        case .damagedSettings, .tokensWithoutSettings, .notRevoked:
            .failed(SessionError(.storeFailed, "the account's settings could not be read, so its tokens were not revoked"))
        }
    }

    /// Removes an account as ``remove(_:dependencies:)`` does.
    ///
    /// - Parameter revoking: Whether to revoke the tokens at the server.
    /// - Returns: What was removed, and whether its tokens were revoked.
    /// - Throws: ``SessionError``: `.signInNeeded` if nothing is stored under the label; `.storeFailed` if the store fails.
    package func remove(
        _ label: String, revoking: Bool, dependencies: (AccountSettings) -> Dependencies
    ) async throws(SessionError) -> AccountRemoval {
        let version: CredentialVersion?
        let settings: AccountSettings?
        do throws(SessionError) {
            (version, settings) = (try await self.version(of: label), try await self.settings(of: label))
        } catch {
            guard try await forgetDamaged(label) else { throw error }
            return .damagedSettings
        }
        guard let settings, let version else {
            guard try await hasTokens(label) else { throw SessionError(.unknown, label: label) }
            try await forgetEverything(label)
            return .tokensWithoutSettings
        }
        let accounts = OAuthAccounts(store: store)
        let account = try settings.account(label: label)
        guard revoking else {
            try await accounts.forget(account)
            try await forget(label, at: version)
            return .notRevoked(settings)
        }
        let report = await accounts.remove(
            label, of: try settings.profile(), client: settings.client, dependencies: dependencies(settings))
        if let problem = report.problem { throw problem }
        do throws(CredentialStoreError) {
            try await store.delete(account.signOut, at: nil)
        } catch {
            try await forget(label, at: version)
            throw SessionError(error)
        }
        try await forget(label, at: version)
        return .signedOut(report.revocation, settings)
    }

    /// Deletes settings that only a new sign-in could replace, with all tokens under the label.
    ///
    /// - Returns: Whether they were damaged. If another problem keeps them from being read, such as a file's mode, they still lead to the
    ///   tokens once it is fixed.
    package func forgetDamaged(_ label: String) async throws(SessionError) -> Bool {
        guard await hasDamagedSettings(label) else { return false }
        try await forgetEverything(label)
        return true
    }

    /// Deletes the settings of an account that was signed out, unless they have to lead a later sign-out to tokens that are not revoked yet.
    ///
    /// - Returns: Whether tokens are not revoked yet.
    package func forgetSignedOut(_ account: CredentialAccount, at version: CredentialVersion) async throws(SessionError) -> Bool {
        let isUnfinished = await OAuthAccounts(store: store).hasUnfinishedSignOut(account)
        if !isUnfinished { try await forget(account.label, at: version) }
        return isUnfinished
    }
}

/// What ``AccountBook/remove(_:revoking:dependencies:)`` has removed.
package enum AccountRemoval: Sendable {
    /// Settings that could not be read, with all tokens under their label. None was revoked.
    case damagedSettings
    /// Tokens without settings. None was revoked.
    case tokensWithoutSettings
    /// An account, without revoking its tokens.
    case notRevoked(AccountSettings)
    case signedOut(SignOutReport.Revocation, AccountSettings)
}
