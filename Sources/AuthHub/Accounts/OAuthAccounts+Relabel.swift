public import CredentialStorage

extension OAuthAccounts {
    /// Gives an account another label.
    ///
    /// Waits for a refresh that is in progress in any process. If this is interrupted, even by a kill, the account is stored under at least
    /// one of the two labels; if it is under both, another call finishes the move. Until then both have the same tokens, and once the
    /// tokens of one have been refreshed, the other should be deleted with ``forget(_:)``. Running sessions of the old label are signed out
    /// when they have to refresh the token.
    ///
    /// - Returns: The account under its new label.
    /// - Throws: ``SessionError``: `.signInNeeded` if the account is signed out, or is signed out in the meantime; `.misconfigured` if the
    ///   new label is taken; `.storeFailed`.
    @discardableResult
    public func relabel(_ account: CredentialAccount, as label: String) async throws(SessionError) -> CredentialAccount {
        let target = CredentialAccount(server: account.server, clientID: account.clientID, label: label)
        guard target != account else { return account }
        do {
            try await AccountMove(store: store, source: account, target: target).perform()
        } catch {
            throw SessionError(cause: error)
        }
        return target
    }
}
