import AuthHub
import GitHubAPI

extension GitHub {
    /// Creates the API for a signed-in account.
    ///
    /// - Throws: ``Failure`` if the account belongs to another provider.
    init(_ account: SignedInAccount) throws(Failure) {
        guard let api = account.settings.gitHubAPI else {
            throw .usage(
                "“\(account.label)” is signed in at \(account.settings.provider.name), which is not GitHub",
                hint: "authhub login github --client-id ID --client-secret-file FILE --as NAME, then run the same command with --as NAME")
        }
        self.init(session: account.session, api: api)
    }
}
