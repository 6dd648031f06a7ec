import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The account of a remote server, which signs in again when the server requires it. Concurrent messages share one sign-in.
actor RemoteAccess {
    private let url: String
    private let account: AccountOptions
    private let loopback: LoopbackOptions
    private let browser: BrowserOptions
    private let console: Console

    private var open: (account: SignedInAccount, number: Int)?
    /// The number of the present account, which changes with each sign-in.
    private(set) var number = 0
    private var label: String?
    private var signIn: Task<Result<ResourceSignIn.Outcome, Failure>, Never>?
    /// The messages that wait for the sign-in, by numbers.
    private var waiting: Set<Int> = []
    private var lastWaiting = 0
    /// The challenges that led to a sign-in, and whether they require more than a token. If the server repeats one, another sign-in does not
    /// help.
    private var usedChallenges: [String: Bool] = [:]
    /// When this process has recently asked the user.
    private var asked: [ContinuousClock.Instant] = []

    /// The last sign-in that failed, and when. A host may send many messages at once, and each would open the page again.
    private var failed: (failure: Failure, time: ContinuousClock.Instant)?

    private static let pause = Duration.seconds(30)
    /// The maximum number of sign-ins in a period, in case the server always requires another one.
    private static let askLimit = 5
    private static let period = Duration.seconds(600)

    init(_ url: String, _ account: AccountOptions, _ loopback: LoopbackOptions, _ browser: BrowserOptions, _ console: Console) {
        (self.url, self.account, self.loopback, self.browser, self.console) = (url, account, loopback, browser, console)
        label = account.typedLabel
    }

    /// Returns the account, and its number.
    ///
    /// - Throws: ``Failure`` if no one is signed in at the server.
    func current() async throws(Failure) -> (account: SignedInAccount, number: Int) {
        if let open { return open }
        let opened = try await SignedInAccount.open(label.map { account.naming($0) } ?? account)
        guard let target = RequestTarget(url), let origin = Origin(target), opened.settings.sendsToken(to: origin, path: target.path) else {
            throw Failure(
                "sign_in_needed", .signInNeeded, "the account “\(opened.label)” is not for \(url)",
                hint: "authhub login \(url.shellWord)\(loopback.suffix)")
        }
        let value = (account: opened, number: number)
        open = value
        return value
    }

    /// Signs in, unless another message has done so since the one that was rejected.
    ///
    /// - Parameters:
    ///   - challenge: The header field with which the server rejected the message; nil if no one is signed in.
    ///   - place: The URL of the resource that requires more than a token; nil if any token is enough.
    ///   - number: The number of the account that the message was sent with.
    func signIn(_ challenge: String?, at place: String? = nil, after number: Int) async throws(Failure) {
        guard number == self.number else { return }
        let task: Task<Result<ResourceSignIn.Outcome, Failure>, Never>
        if let signIn { task = signIn } else { task = try start(challenge, at: place ?? url, isStepUp: place != nil) }
        signIn = task
        lastWaiting += 1
        let waiter = lastWaiting
        waiting.insert(waiter)
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { await self.leave(waiter) }
        }
        waiting.remove(waiter)
        if signIn == task { signIn = nil }
        if case .failure(let failure) = outcome {
            if let challenge { usedChallenges[challenge] = nil }
            // A message that the host has cancelled says nothing about the others.
            if !Task.isCancelled { failed = (failure, .now) }
        }
        let done = try outcome.get()
        guard number == self.number else { return }
        failed = nil
        // What another process requested may not be enough.
        if !done.isOwn, let challenge { usedChallenges[challenge] = nil }
        if done.isOwn { asked.append(.now) }
        label = done.label
        self.number += 1
        open = nil
    }

    /// Notes that the server has accepted the token, which it may reject later. A requirement of more stays unmet.
    func accepted() { usedChallenges = usedChallenges.filter(\.value) }

    /// Waits until all token requests have finished.
    func finish() async { await open?.account.session.finish() }

    private func start(
        _ challenge: String?, at place: String, isStepUp: Bool
    ) throws(Failure) -> Task<Result<ResourceSignIn.Outcome, Failure>, Never> {
        if let failed, failed.time.duration(to: .now) < Self.pause { throw failed.failure }
        asked.removeAll { $0.duration(to: .now) >= Self.period }
        let isNew = challenge.map { usedChallenges[$0] == nil } ?? true
        guard isNew, asked.count < Self.askLimit else {
            throw Failure(
                "denied", .denied, "the server still requires other access after a sign-in",
                hint: "ask the server's operator what the account lacks")
        }
        if let challenge { usedChallenges[challenge] = isStepUp }
        let signIn = ResourceSignIn(
            url: place, challenge: challenge, rejected: open?.account, account: account, loopback: loopback,
            browser: browser)
        return Task { [console] in
            do throws(Failure) {
                return .success(try await signIn.perform(console))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Closes the page if no message waits for it any more.
    private func leave(_ waiter: Int) {
        guard waiting.remove(waiter) != nil, waiting.isEmpty else { return }
        signIn?.cancel()
        // The next message does not wait for a sign-in that is being cancelled.
        signIn = nil
    }
}
