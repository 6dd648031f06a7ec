import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage

struct LogoutCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forgets the account here, and has the server revoke its tokens.",
        discussion: "What is stored here goes first. Where the server cannot be told, the command says so and fails.")

    @Flag(help: "End your browser's session at the server, too, where it offers that: it shows a page.")
    var endSession = false

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Browser, for --end-session") var browser: BrowserOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open()
        let book = AccountBook(store: store)
        let version: CredentialVersion
        do {
            guard let standing = try await book.version(of: account.label), try await book.settings(of: account.label) != nil else {
                return tell(console, revocation: "not_needed", "Nobody was signed in as “\(account.label)”")
            }
            version = standing
        } catch {
            // What can be put right, such as a file's mode, still leads to the tokens, and they can be revoked then.
            guard await book.hasDamagedSettings(account.label) else { throw error }
            try await book.forgetEverything(account.label)
            return tell(console, revocation: "not_possible", "Forgot the damaged settings of “\(account.label)”; no token was revoked")
        }
        let account = try await open(console)
        let report = await account.session.signOut(endingServerSession: endSession)
        if let problem = report.problem { throw Failure(problem, login: account.login) }
        try await book.forget(account.label, at: version)
        let session = report.serverSession
        switch report.revocation {
        case .done:
            tell(console, revocation: "done", "Signed out “\(account.label)”; the server confirmed the revocation", session)
        case .notOffered:
            tell(
                console, revocation: "not_offered",
                "Signed out “\(account.label)”; the server offers no revocation, so the tokens end by themselves", session)
        case .notNeeded: tell(console, revocation: "not_needed", "Nobody was signed in as “\(account.label)”", session)
        case .failed(let error):
            let cause = Failure(error)
            throw Failure(
                "not_revoked", cause.exit, "signed out “\(account.label)” here, but the tokens may live on at the server: \(cause.message)",
                hint: "revoke the access on the server's own pages")
        }
        try judge(session)
    }
}

extension LogoutCommand {
    /// - Throws: ``Failure`` also where the page is wanted and cannot be shown: then nothing has been signed out.
    private func open(_ console: Console) async throws(Failure) -> SignedInAccount {
        guard endSession else { return try await SignedInAccount.open(account) }
        return try await SignedInAccount.open(
            account,
            browser: { (profile) throws(Failure) in try browser.authenticator(for: profile, to: .signOut, console: console) },
            timeout: .seconds(browser.timeout))
    }

    private func judge(_ session: SignOutReport.ServerSession) throws(Failure) {
        let message = "signed out “\(account.label)” here, but your browser may still be signed in at the server"
        let hint = "sign out on the server's own pages"
        switch session {
        case .notAsked, .notOffered, .ended: break
        case .cancelled: throw Failure("session_not_ended", .cancelled, "\(message): its page was closed", hint: hint)
        case .failed(let error):
            let cause = Failure(error)
            throw Failure("session_not_ended", cause.exit, "\(message): \(cause.message)", hint: hint)
        }
    }

    private func tell(_ console: Console, revocation: String, _ text: String, _ session: SignOutReport.ServerSession = .notAsked) {
        switch console.format {
        case .json:
            var object = JSONObject()
            object["account"] = .string(account.label)
            object["signed_in"] = false
            object["revocation"] = .string(revocation)
            object["server_session"] = session.word.map { .string($0) }
            console.put(.object(object))
        case .text:
            console.say(text)
            if case .ended = session { console.say("The server's page for signing out has sent your browser back") }
            if case .notOffered = session { console.say("The server has no page that ends your browser's session there") }
        }
    }
}

extension SignOutReport.ServerSession {
    /// As it is written for programs; nil where there is nothing to say.
    fileprivate var word: String? {
        switch self {
        case .notAsked: nil
        case .notOffered: "not_offered"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}
