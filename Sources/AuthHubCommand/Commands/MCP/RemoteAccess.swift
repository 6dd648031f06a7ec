import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform

/// The account of a remote server, which signs in when the server requires it. Concurrent messages share one sign-in.
actor RemoteAccess {
    private typealias Outcome = Result<ResourceSignIn.Outcome, Failure>
    private typealias SignInTask = Task<Outcome, Never>

    private let url: String
    private let account: AccountOptions
    private let loopback: LoopbackOptions
    /// The header fields that the user adds to each request. If one of them is `Authorization`, no account is used.
    private let fields: HTTPFields
    private let performSignIn: @Sendable (ResourceSignIn.Reason) async throws(Failure) -> ResourceSignIn.Outcome

    private var open: SignedInAccount?
    /// The number of the present account, which changes with each sign-in.
    private var number = 0
    private var label: String?
    private var signIn: SignInTask?
    private var policy = AccessPolicy()
    /// The last sign-in that failed.
    private var failure: Failure?

    /// - Parameter performSignIn: Signs in, or waits for another process that does.
    init(
        _ url: String, _ account: AccountOptions, _ loopback: LoopbackOptions, fields: HTTPFields = [:],
        by performSignIn: @escaping @Sendable (ResourceSignIn.Reason) async throws(Failure) -> ResourceSignIn.Outcome
    ) {
        (self.url, self.account, self.loopback, self.fields, self.performSignIn) = (url, account, loopback, fields, performSignIn)
        label = account.typedLabel
    }

    /// Returns what sends the messages, and the number of the account.
    ///
    /// - Throws: ``Failure`` if the store cannot be used.
    func sender() async throws(Failure) -> (sender: ResourceSender, number: Int) {
        (ResourceSender.toSignIn(try await current(), login: login), number)
    }

    /// Adds the user's header fields to a request.
    nonisolated func complete(_ request: LoadRequest) -> LoadRequest {
        var request = request
        for field in fields { request.head.headerFields[field.name] = field.value }
        return request
    }

    /// Whether a rejected message may lead to a sign-in.
    nonisolated var usesAccount: Bool { fields[.authorization] == nil }

    /// Signs in, unless another message or process has done so since the message that was rejected.
    ///
    /// - Parameter number: The number of the account that the message was sent with.
    func signIn(after response: LoadResponse, requiring requirement: AccessRequirement, sentWith number: Int) async throws(Failure) {
        guard number == self.number else { return }
        let task: SignInTask
        if let signIn { task = signIn } else { task = try await start(response, requirement) }
        // The page stays open even if the host cancels the message.
        guard let outcome = await Self.value(of: task) else { throw .interrupted }
        guard number == self.number else { return }
        _ = try outcome.get()
    }

    /// Notes that the server has accepted the token, which it may reject later.
    func accepted() { policy.accepted() }

    /// Waits until all token requests have finished.
    func finish() async { await open?.session.finish() }

    private func current() async throws(Failure) -> SignedInAccount? {
        guard usesAccount else { return nil }
        if let open { return open }
        let opened: SignedInAccount
        do throws(Failure) {
            opened = try await SignedInAccount.open(label.map { account.naming($0) } ?? account)
        } catch {
            guard error.exit == .signInNeeded else { throw error }
            return nil
        }
        guard let target = RequestTarget(url), let origin = Origin(target), opened.settings.sendsToken(to: origin, path: target.path) else {
            return nil
        }
        open = opened
        return opened
    }

    private var login: String { "authhub login \(url.shellWord)\(loopback.suffix)\(account.chosenSuffix)" }

    private func start(_ response: LoadResponse, _ requirement: AccessRequirement) async throws(Failure) -> SignInTask {
        // A token that is not accepted at all may be for a different resource than the message's.
        let place = requirement.isStepUp ? open?.settings.resource?.text ?? url : url
        let reason = ResourceSignIn.Reason(url: place, challenge: response.challenges, rejected: open?.session.state.signInID)
        let answer = policy.answer(to: requirement, at: Date())
        guard answer == .signIn else {
            // The user may have signed in with another process.
            if let done = try? await ResourceSignIn(reason, account, loopback).outcomeOfOthers() {
                return begin(requirement) { .success(done) }
            }
            if answer == .wait, let failure { throw failure }
            throw Failure(
                "denied", .denied, "the server still requires other access after a sign-in",
                hint: "ask the server's operator what the account lacks; to sign in again: \(login)")
        }
        return begin(requirement) { [performSignIn, open] in
            await open?.forgetClient()
            do throws(Failure) {
                return .success(try await performSignIn(reason))
            } catch {
                return .failure(error)
            }
        }
    }

    private func begin(_ requirement: AccessRequirement, _ body: @escaping @Sendable () async -> Outcome) -> SignInTask {
        let task = Task {
            let outcome = await body()
            self.end(outcome, requirement)
            return outcome
        }
        signIn = task
        return task
    }

    private func end(_ outcome: Outcome, _ requirement: AccessRequirement) {
        signIn = nil
        switch outcome {
        case .success(let done):
            // What another process requested may not be enough.
            if done.isOwn { policy.signedIn(for: requirement, at: Date()) }
            (label, open, failure) = (done.label, nil, nil)
            number += 1
        case .failure(let failure):
            self.failure = failure
            if let page = failure.page { policy.pageFailed(page, at: Date()) }
        }
    }

    /// Waits for a sign-in.
    ///
    /// - Returns: nil if the present task is cancelled first.
    private static func value(of task: SignInTask) async -> Outcome? {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        Task { continuation.yield(await task.value) }
        for await outcome in outcomes { return outcome }
        return nil
    }
}
