import ArgumentParser
import AuthHub
import CredentialStorage

struct LogoutCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out: delete the tokens on this machine and revoke them at the server.",
        discussion: """
            The tokens on this machine are deleted first. If they cannot be revoked, the command fails and says so: run the command again \
            when the server can be reached. The next command that uses the account also tries to revoke them. If a server at an http URL on this \
            machine refuses the connection, nothing is tried again.

            If no one is signed in under the label, the exit status is 0; that of "accounts remove" is 1.

            The settings of the account, with the client secret, are deleted, too. To keep them, use "authhub revoke" \
            instead; "authhub login" then needs no further options to sign in again.
            """)

    @Flag(help: "Also open the server's sign-out page, if it has one, to end your browser's session.")
    var endSession = false

    @Flag(help: "Sign out of all accounts.")
    var all = false

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Browser, for --end-session") var browser: BrowserOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    var usesNamedAccountOnly: Bool { all }

    func validate() throws {
        guard !all || account.typedLabel == nil else { throw ValidationError("--all and --as cannot be used together.") }
        guard !all || !endSession else { throw ValidationError("--all and --end-session cannot be used together.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(account.storage)
        guard !all else { return try await signOutOfAll(in: store, console) }
        let notice = try await signOut(of: account, in: store, console)
        notice.tell(console)
        try check(notice.serverSession)
    }
}

extension LogoutCommand {
    /// Signs out of one account after the other. A failure does not stop the others.
    private func signOutOfAll(in store: any CredentialInventory, _ console: Console) async throws(Failure) {
        let listing = try await Failure.translating { try await AccountBook(store: store).list() }
        var notices: [SignOutNotice] = []
        var failures: [Failure] = []
        for label in listing.labels {
            do throws(Failure) {
                let notice = try await signOut(of: account.naming(label), in: store, console)
                notices.append(notice)
                if console.format == .text { notice.tell(console) }
            } catch {
                if console.format == .text, listing.labels.count > 1 { console.warn("“\(label)”: \(error.message)") }
                failures.append(error)
            }
        }
        switch console.format {
        case .json: console.put(.array(notices.map(\.json)))
        case .text where listing.labels.isEmpty: console.say("No accounts.")
        case .text: break
        }
        if let failure = failures.first {
            throw failures.count == 1
                ? failure
                : Failure(
                    failure.code, failure.exit, "\(Words.count(failures.count, "account")) could not be signed out completely",
                    hint: "authhub accounts list")
        }
        guard listing.unreadable.isEmpty else { throw AccountOverview.failure(listing.unreadable) }
    }

    /// - Throws: ``Failure``, even if only the server could not be notified.
    private func signOut(
        of options: AccountOptions, in store: any CredentialInventory, _ console: Console
    ) async throws(Failure) -> SignOutNotice {
        let book = AccountBook(store: store)
        let label = options.label
        let version: CredentialVersion
        do throws(SessionError) {
            guard let standing = try await book.version(of: label), try await book.settings(of: label) != nil else {
                let others = try? await book.list().labels
                return SignOutNotice.notSignedIn(label, hasOthers: others?.isEmpty == false)
            }
            version = standing
        } catch {
            guard try await Failure.translating({ try await book.forgetDamaged(label) }) else { throw Failure(error) }
            throw Failure(
                "not_revoked", .storeFailed,
                "the settings of “\(label)” were damaged: the account was removed from this machine, but its tokens were not revoked",
                hint: "revoke the access on the server's website")
        }
        let account = try await open(options, console)
        let report = await account.session.signOut(endingServerSession: endSession)
        if let problem = report.problem { throw Failure(problem, login: account.login) }
        if case .failed(let error) = report.revocation, error.isFromStoppedDevelopmentServer {
            _ = try await Failure.translating { try await store.delete(account.session.account.signOut, at: nil) }
        }
        let isUnfinished = try await Failure.translating { try await book.forgetSignedOut(account.session.account, at: version) }
        var notice = try SignOutNotice.of(report.revocation, label: label, at: account.settings, isUnfinished: isUnfinished).get()
        notice.serverSession = report.serverSession
        return notice
    }
}

extension LogoutCommand {
    /// Opens the account.
    ///
    /// - Throws: ``Failure``, even if the page is requested and cannot be shown; then nothing has been signed out.
    private func open(_ options: AccountOptions, _ console: Console) async throws(Failure) -> SignedInAccount {
        guard endSession else { return try await SignedInAccount.open(options) }
        return try await SignedInAccount.open(
            options,
            browser: { (profile, redirectURI) throws(Failure) in
                try browser.request.authenticator(
                    for: profile, receiving: redirectURI, to: .signOut, console: console, trace: ToolNetwork.current.trace)
            },
            timeout: .seconds(browser.timeout ?? BrowserRequest.defaultTimeout))
    }

    private func check(_ session: SignOutReport.ServerSession) throws(Failure) {
        let message = "signed out “\(account.label)” on this machine, but your browser may still be signed in at the server"
        let hint = "sign out on the server's website"
        switch session {
        case .notAsked, .notOffered, .ended: break
        case .cancelled: throw Failure("session_not_ended", .cancelled, "\(message): the sign-out there was cancelled", hint: hint)
        case .failed(let error):
            let cause = Failure(error)
            // The browser's own error message is about a sign-in, not a sign-out.
            let reason = error.code == .timedOut ? "the sign-out there was not finished in time" : cause.message
            throw Failure("session_not_ended", cause.exit, "\(message): \(reason)", hint: hint)
        }
    }
}
