import AuthHub
import CredentialStorage

/// The removal of an account with everything that is stored for it.
struct AccountRemoval: Sendable {
    let store: any CredentialInventory
    let label: String

    /// Removes the account.
    ///
    /// - Parameter isLocal: Whether to skip revocation at the server.
    /// - Throws: ``Failure`` if there is nothing under the label, the store fails, or the server could not be notified.
    func perform(locally isLocal: Bool) async throws(Failure) -> SignOutNotice {
        try await Failure.translating { try await outcome(locally: isLocal) }.get()
    }

    private func outcome(locally isLocal: Bool) async throws(SessionError) -> Result<SignOutNotice, Failure> {
        let book = AccountBook(store: store)
        let version: CredentialVersion?
        let settings: AccountSettings?
        do throws(SessionError) {
            version = try await book.version(of: label)
            settings = try await book.settings(of: label)
        } catch {
            // If the problem can be fixed, such as a file's mode, the settings still lead to the tokens, which can be revoked then.
            guard await book.hasDamagedSettings(label) else { throw error }
            try await book.forgetEverything(label)
            return .success(.damagedSettings(label))
        }
        guard let settings, let version else {
            guard try await book.hasTokens(label) else { return .failure(.unknownAccount(label)) }
            try await book.forgetEverything(label)
            return .success(
                SignOutNotice(
                    label: label, revocation: .notPossible,
                    text: "Deleted the tokens of “\(label)”, which had no settings; none of them was revoked"
                ))
        }
        let notice = isLocal ? .success(try await forget(settings)) : try await signOut(settings)
        try await book.forget(label, at: version)
        return notice.map { notice in
            var notice = notice
            notice.login = LoginCommandLine(settings: settings, label: label).text
            return notice
        }
    }

    private func forget(_ settings: AccountSettings) async throws(SessionError) -> SignOutNotice {
        try await OAuthAccounts(store: store).forget(try settings.account(label: label))
        return SignOutNotice(
            label: label, revocation: .notAsked, text: "Removed “\(label)” here; its tokens stay valid at the server until they expire")
    }

    private func signOut(_ settings: AccountSettings) async throws(SessionError) -> Result<SignOutNotice, Failure> {
        let report = await OAuthAccounts(store: store).remove(
            label, of: try settings.profile(), client: settings.client,
            dependencies: ToolNetwork.current.dependencies(for: settings))
        if let problem = report.problem { throw problem }
        // Nothing remains stored, not even tokens that a later command could revoke.
        let pending = try settings.account(label: label).signOut
        do {
            _ = try await store.delete(pending, at: nil)
        } catch {
            return .failure(Failure(error))
        }
        return SignOutNotice.of(report.revocation, label: label, at: settings, isUnfinished: false)
    }
}
