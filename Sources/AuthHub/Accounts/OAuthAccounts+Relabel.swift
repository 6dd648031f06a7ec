public import CredentialStorage

extension OAuthAccounts {
    /// Gives an account another label.
    ///
    /// Waits for a refresh that is under way, in whatever process. Where it is interrupted, even by a kill, the account stands under at
    /// least one of the two labels; where under both, calling it again ends the move. Until then both name the same tokens, and once one of
    /// the two has been renewed, the other is to be given up with ``forget(_:)``. Running sessions of the old label find themselves signed
    /// out when they next have to renew the token.
    ///
    /// - Returns: The account under its new label.
    /// - Throws: ``SessionError``: `.signInNeeded` where the account is signed out, also meanwhile; `.misconfigured` where the new label
    ///   is taken; `.storeFailed`.
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
