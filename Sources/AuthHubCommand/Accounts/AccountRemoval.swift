import AsyncHTTPClientTransport
import AuthHub
import CredentialStorage

/// Takes an account out of the store, with all that is left of it.
struct AccountRemoval: Sendable {
    let store: any CredentialInventory
    let label: String

    /// - Parameter isLocal: Whether to leave the server out of it.
    /// - Throws: ``Failure`` where there is nothing under the label, the store fails, or the server could not be told.
    func perform(locally isLocal: Bool) async throws(Failure) -> SignOutNotice {
        let book = AccountBook(store: store)
        let version: CredentialVersion?
        let settings: AccountSettings?
        do {
            version = try await book.version(of: label)
            settings = try await book.settings(of: label)
        } catch {
            // What can be put right, such as a file's mode, still leads to the tokens, and they can be revoked then.
            guard await book.hasDamagedSettings(label) else { throw error }
            try await book.forgetEverything(label)
            return .damagedSettings(label)
        }
        guard let settings, let version else {
            guard try await book.hasTokens(label) else { throw .unknownAccount(label) }
            try await book.forgetEverything(label)
            return SignOutNotice(
                label: label, revocation: .notPossible,
                text: "Deleted the tokens of “\(label)”, which had no settings; none of them was revoked")
        }
        let notice = isLocal ? try await forget(settings) : try await signOut(settings)
        try await book.forget(label, at: version)
        var told = try notice.get()
        told.login = LoginCommandLine(settings: settings, label: label).text
        return told
    }

    private func forget(_ settings: AccountSettings) async throws(Failure) -> Result<SignOutNotice, Failure> {
        let account = try settings.account(label: label)
        do {
            try await OAuthAccounts(store: store).forget(account)
        } catch {
            throw Failure(error)
        }
        return .success(
            SignOutNotice(
                label: label, revocation: .notAsked,
                text: "Removed “\(label)” from this machine; its tokens stay valid at the server until they expire")
        )
    }

    private func signOut(_ settings: AccountSettings) async throws(Failure) -> Result<SignOutNotice, Failure> {
        let report = await OAuthAccounts(store: store).remove(
            label, of: try settings.profile(), client: settings.client, dependencies: Dependencies(transport: NetworkTransport.shared))
        if let problem = report.problem { throw Failure(problem) }
        // Nothing is kept, not even the tokens that a later command could revoke.
        let pending = try settings.account(label: label).signOut
        do {
            _ = try await store.delete(pending, at: nil)
        } catch {
            throw Failure(error)
        }
        return SignOutNotice.of(report.revocation, label: label, isUnfinished: false)
    }
}
