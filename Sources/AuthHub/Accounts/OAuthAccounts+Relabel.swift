public import CredentialStorage

extension OAuthAccounts {
    /// Moves the tokens of an account to another label. If the account has settings in an ``AccountBook``, use
    /// ``AccountBook/relabel(_:as:)``, which moves both.
    ///
    /// Waits for a refresh that is in progress in any process. If the move is interrupted, even because the process is killed, the account
    /// is stored under at least one of the two labels. If it is stored under both, both records have the same tokens, and calling this
    /// again finishes the move. After the tokens of one record have been refreshed, delete the other record with
    /// ``CredentialStorage/CredentialStore/delete(_:at:)``. Running sessions of the old label are signed out the next time they need to
    /// refresh the token.
    ///
    /// - Returns: The account under its new label.
    /// - Throws: ``SessionError``: `.signInNeeded` if the account is signed out, also during the call; `.misconfigured` if another account
    ///   already has the new label; `.storeFailed` if the store fails.
    @discardableResult
    public func relabel(_ account: CredentialAccount, as label: String) async throws(SessionError) -> CredentialAccount {
        let target = CredentialAccount(server: account.server, clientID: account.clientID, label: label)
        guard target != account else { return account }
        let move = AccountMove(store: store, source: account, target: target)
        do {
            try await move.perform()
        } catch {
            throw SessionError(cause: error)
        }
        await move.finish()
        return target
    }
}
