import AuthHub
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// The account of a remote server, which signs in again when the server requires it. Concurrent messages share one sign-in.
actor RemoteAccess {
    private let url: String
    private let account: AccountOptions
    private let loopback: LoopbackOptions
    private let browser: BrowserOptions
    private let console: Console

    private var open: (account: SignedInAccount, number: Int)?
    private var number = 0
    private var label: String?
    private var signIn: Task<Result<String, Failure>, Never>?

    init(_ url: String, _ account: AccountOptions, _ loopback: LoopbackOptions, _ browser: BrowserOptions, _ console: Console) {
        (self.url, self.account, self.loopback, self.browser, self.console) = (url, account, loopback, browser, console)
        label = account.typedLabel
    }

    /// Returns the account, and a number that changes with each sign-in.
    func current() async throws(Failure) -> (account: SignedInAccount, number: Int) {
        if let open { return open }
        let opened = try await SignedInAccount.open(label.map { account.naming($0) } ?? account)
        let value = (account: opened, number: number)
        open = value
        return value
    }

    /// Signs in, unless another message has done so since the one that was rejected.
    ///
    /// - Parameters:
    ///   - challenge: The header field with which the server rejected the message; nil if no one is signed in.
    ///   - number: The number of the account that the message was sent with.
    func signIn(_ challenge: String?, at place: String? = nil, after number: Int) async throws(Failure) {
        guard number == self.number else { return }
        let task =
            signIn
            ?? Task { [url, account, loopback, browser, console] in
                do throws(Failure) {
                    let command = try LoginCommand.forResource(
                        place ?? url, challenge: challenge, account: account, loopback, browser)
                    return .success(try await command.signIn(console).report.label)
                } catch {
                    return .failure(error)
                }
            }
        signIn = task
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if signIn == task { signIn = nil }
        let label = try outcome.get()
        guard number == self.number else { return }
        self.label = label
        self.number += 1
        open = nil
    }

    /// Waits until no tokens are on their way any more.
    func finish() async { await open?.account.session.finish() }
}
