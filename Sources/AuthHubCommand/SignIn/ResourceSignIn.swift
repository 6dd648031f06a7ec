import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// A sign-in that a resource requires of a command, once for all processes that need it at the same time.
struct ResourceSignIn: Sendable {
    /// The account that is signed in now.
    struct Outcome: Sendable {
        let label: String
        /// Whether this process has signed in, and not another one.
        let isOwn: Bool
    }

    /// Why to sign in.
    struct Reason: Sendable {
        /// The URL to sign in at.
        let url: String
        /// The header field with which the resource rejected a request; empty if there was none.
        let challenge: String
        /// The ID of the sign-in whose token was rejected; nil if no one was signed in.
        let rejected: String?
    }

    private let reason: Reason
    private let account: AccountOptions
    /// The label that the user named; nil if the resource determines the account.
    private let named: String?
    private let transport: TransportPolicy
    /// The browser of a command that another program has started; nil for one that a user has typed, and may repeat at once.
    private let browser: BrowserRequest?

    init(
        _ reason: Reason, _ account: AccountOptions, _ loopback: LoopbackOptions, _ browser: BrowserOptions? = nil,
        isNamed: Bool = AccountChoice.isNamed
    ) {
        (self.reason, self.account, transport, self.browser) = (reason, account, loopback.transport, browser?.request)
        named = isNamed ? account.label : nil
    }

    /// Waits for other processes that sign in for the same URL, and signs in unless one of them has done so.
    ///
    /// - Parameter isWanted: Whether anyone still waits for the result, once it is this process's turn.
    /// - Throws: ``Failure``, as the login does; also if the user has just declined in another process.
    func perform(_ console: Console, isWanted: () -> Bool = { true }) async throws(Failure) -> Outcome {
        let url = reason.url
        let turn = try await PromptTurn.begin(
            for: Self.purpose(url, named), timeout: .seconds(browser?.timeout ?? BrowserRequest.defaultTimeout),
            notice: { process in
                let other = process.map { "process \($0)" } ?? "another process"
                console.say("\(other) is signing in at \(url); waiting for it to finish")
            })
        defer { turn.end() }
        if let done = try await outcomeOfOthers() { return done }
        guard isWanted() else { throw .interrupted }
        let challenge = ResourceRequest.suffix(challenge: reason.challenge)
        let typed = "authhub login \(url.shellWord)\(challenge)\(transport.suffix)\(named.map { AccountOptions.suffix($0) } ?? "")"
        guard !turn.wasDeclined || (browser == nil && !turn.hasWaited) else {
            throw Failure("denied", .denied, "a sign-in at \(url) was declined or failed a moment ago", hint: typed)
        }
        let service = try SignInService(
            SignInRequest(at: url, challenge: reason.challenge, as: named, in: account, transport, browser ?? BrowserRequest()), console)
        if let named, (try? await service.book.settings(of: named)) == .some(nil) {
            console.say("There is no account “\(named)” yet; the sign-in creates it.")
        }
        do throws(Failure) {
            let label = try await service.perform().report.label
            turn.end(isDeclined: false)
            return Outcome(label: label, isOwn: true)
        } catch {
            // Otherwise, each process that waits would show a page that fails.
            if error.page == .declined { turn.end(isDeclined: true) }
            // The options of the login are not those of this command.
            throw error.code == "cannot_sign_in_here" ? error.hinting("\(typed) in a terminal, then try again") : error
        }
    }

    /// Returns the account at which another process has signed in; nil if none has.
    func outcomeOfOthers() async throws(Failure) -> Outcome? {
        let store = try ToolStore.open(account.storage)
        guard let target = RequestTarget(reason.url) else { return nil }
        let candidates = try await AccountSituation.candidates(in: store).filter {
            $0.resource != nil && named.map($0.label.hasSameBytes) ?? true
        }
        let owners = candidates.owners(of: target)
        guard owners.count == 1, let label = owners.first,
            let settings = try? await AccountBook(store: store).settings(of: label), let name = try? settings.account(label: label),
            let stored = await OAuthAccounts(store: store).account(name), let signedIn = stored.signedIn,
            stored.status(at: Date()) != .expired, signedIn.signInID != reason.rejected
        else { return nil }
        return Outcome(label: label, isOwn: false)
    }

    /// Forgets that the user has declined, after a sign-in that the user has typed.
    static func forgetDecline(at urls: [String], as label: String) async {
        for url in urls {
            for name in [nil, label] { await PromptTurn.forgetDecline(for: purpose(url, name)) }
        }
    }

    private static func purpose(_ url: String, _ named: String?) -> String { "\(url) \(named ?? "")" }
}
