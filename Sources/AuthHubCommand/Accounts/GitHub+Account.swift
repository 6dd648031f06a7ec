import AuthHub
import GitHubAPI

extension GitHub {
    /// The API, as a signed-in account sees it.
    ///
    /// - Throws: ``Failure`` where the account is signed in elsewhere.
    init(_ account: SignedInAccount) throws(Failure) {
        guard let api = account.settings.gitHubAPI else {
            throw .usage(
                "“\(account.label)” is signed in at \(account.settings.provider.name), which is not GitHub",
                hint: "authhub login github --client-id ID --client-secret-file FILE --as NAME, then run the same command with --as NAME")
        }
        self.init(session: account.session, api: api)
    }
}
