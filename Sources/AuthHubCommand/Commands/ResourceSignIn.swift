import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in that a resource requires of a command, once for all processes that need it at the same time.
struct ResourceSignIn: Sendable {
    /// The account that is signed in now.
    struct Outcome: Sendable {
        let label: String
        /// Whether this process has signed in, and not another one.
        let isOwn: Bool
    }

    /// The URL to sign in at.
    let url: String
    /// The header field with which the resource rejected a request; nil if no one was signed in.
    let challenge: String?
    /// The account whose token was rejected; nil if no one was signed in.
    let rejected: SignedInAccount?
    let account: AccountOptions
    let loopback: LoopbackOptions
    /// The browser options of a command that another program has started; nil for one that a user has typed, and may repeat at once.
    var browser: BrowserOptions?

    /// Waits for other processes that sign in for the same URL, and signs in unless one of them has done so.
    ///
    /// - Throws: ``Failure``, as the login does; also if the user has just declined in another process.
    func perform(_ console: Console) async throws(Failure) -> Outcome {
        let rejectedSignIn = rejected?.session.state.signInID
        await rejected?.forgetClient()
        let named = AccountChoice.made.flatMap { $0.isNamed ? $0.label : nil }
        let turn = try await PromptTurn.begin(
            for: "\(url) \(named ?? "")", timeout: .seconds(browser?.timeout ?? BrowserOptions.defaultTimeout),
            notice: { process in
                let other = process.map { "process \($0)" } ?? "another process"
                console.say("\(other) is signing in at \(url); waiting for it to finish")
            })
        defer { turn.end() }
        if let label = try await labelOfOthers(named, since: rejectedSignIn) { return Outcome(label: label, isOwn: false) }
        let login = try LoginCommand.forResource(url, challenge: challenge, account: account, loopback, browser)
        let typed = "authhub login \(url.shellWord)\(loopback.suffix)\(named.map { AccountOptions.suffix($0) } ?? "")"
        guard !turn.wasDeclined || (browser == nil && !turn.hasWaited) else {
            throw Failure("denied", .denied, "a sign-in at \(url) was declined or failed a moment ago", hint: typed)
        }
        if let named, (try? await AccountBook(store: ToolStore.open(account.storage)).settings(of: named)) == .some(nil) {
            console.say("There is no account “\(named)” yet; the sign-in creates it.")
        }
        do throws(Failure) {
            let label = try await login.signIn(console, allowsOtherIssuer: false).report.label
            turn.end(isDeclined: false)
            return Outcome(label: label, isOwn: true)
        } catch {
            // Otherwise, each process that waits would show a page that fails.
            if !Task.isCancelled, ![.interrupted, .usage].contains(error.exit) { turn.end(isDeclined: true) }
            // The options of the login are not those of this command.
            throw error.code == "cannot_sign_in_here" ? error.hinting("\(typed) in a terminal, then try again") : error
        }
    }

    /// Returns the label of the account at which another process has signed in; nil if none has.
    private func labelOfOthers(_ named: String?, since rejectedSignIn: String?) async throws(Failure) -> String? {
        let store = try ToolStore.open(account.storage)
        guard let target = RequestTarget(url) else { return nil }
        let candidates = try await AccountSituation.candidates(in: store).filter {
            $0.resource != nil && named.map($0.label.hasSameBytes) ?? true
        }
        let owners = candidates.owners(of: target)
        guard owners.count == 1, let label = owners.first,
            let settings = try? await AccountBook(store: store).settings(of: label), let name = try? settings.account(label: label),
            let stored = await OAuthAccounts(store: store).account(name), let signedIn = stored.signedIn,
            stored.status(at: Date()) != .expired, signedIn.signInID != rejectedSignIn
        else { return nil }
        return label
    }
}
