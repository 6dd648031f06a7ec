import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage

struct LogoutCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forgets the account here, and has the server revoke its tokens.",
        discussion: "What is stored here goes first. Where the server cannot be told, the command says so and fails.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open()
        let book = AccountBook(store: store)
        do {
            guard try await book.settings(of: account.label) != nil else {
                return tell(console, revocation: "not_needed", "Nobody was signed in as “\(account.label)”")
            }
        } catch {
            // What can be put right, such as a file's mode, still leads to the tokens, and they can be revoked then.
            guard await book.hasDamagedSettings(account.label) else { throw error }
            try await book.forgetEverything(account.label)
            return tell(console, revocation: "not_possible", "Forgot the damaged settings of “\(account.label)”; no token was revoked")
        }
        let account = try await SignedInAccount.open(account)
        let report = await account.session.signOut()
        if let problem = report.problem { throw Failure(problem, login: account.login) }
        try await book.forget(account.label)
        switch report.revocation {
        case .done: tell(console, revocation: "done", "Signed out “\(account.label)”; the server confirmed the revocation")
        case .notOffered:
            tell(
                console, revocation: "not_offered",
                "Signed out “\(account.label)”; the server offers no revocation, so the tokens end by themselves")
        case .notNeeded: tell(console, revocation: "not_needed", "Nobody was signed in as “\(account.label)”")
        case .failed(let error):
            let cause = Failure(error)
            throw Failure(
                "not_revoked", cause.exit, "signed out “\(account.label)” here, but the tokens may live on at the server: \(cause.message)",
                hint: "revoke the access on the server's own pages")
        }
    }

    private func tell(_ console: Console, revocation: String, _ text: String) {
        switch console.format {
        case .json: console.put(["account": .string(account.label), "signed_in": false, "revocation": .string(revocation)])
        case .text: console.say(text)
        }
    }
}
