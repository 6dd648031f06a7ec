import AuthHub
import AuthHubPrimitives
import HTTPLoading
import ModelContextProxy

/// The account of a remote server, as the proxy uses it.
actor RemoteAccount: ProxyAccount {
    private let url: String
    private let account: AccountOptions
    private let loopback: LoopbackOptions
    /// Whether requests are sent with a token; false if the user adds an `Authorization` field.
    private let isUsed: Bool
    private let performSignIn: @Sendable (ResourceSignIn.Reason) async throws(Failure) -> ResourceSignIn.Outcome

    private var open: SignedInAccount?
    private var label: String?

    /// - Parameter performSignIn: Signs in, or waits for another process that does.
    init(
        _ url: String, _ account: AccountOptions, _ loopback: LoopbackOptions, isUsed: Bool,
        by performSignIn: @escaping @Sendable (ResourceSignIn.Reason) async throws(Failure) -> ResourceSignIn.Outcome
    ) {
        (self.url, self.account, self.loopback, self.isUsed, self.performSignIn) = (url, account, loopback, isUsed, performSignIn)
        label = account.typedLabel
    }

    /// The command that signs in.
    nonisolated var login: String { "authhub login \(url.shellWord)\(loopback.suffix)\(account.chosenSuffix)" }

    func load(_ request: LoadRequest) async throws(ProxyFailure) -> (response: LoadResponse, signIn: UsedSignIn?) {
        let current: SignedInAccount?
        do throws(Failure) { current = try await self.current() } catch { throw ProxyFailure(error) }
        let sender = ResourceSender.toSignIn(current, login: login)
        do throws(LoadError) {
            let response = try await sender.load(request)
            let signIn = current.map { UsedSignIn(id: $0.session.state.signInID, resource: $0.settings.resource?.text) }
            return (response, signIn)
        } catch {
            throw ProxyFailure(await sender.failure(error))
        }
    }

    func failure(_ error: LoadError) async -> ProxyFailure {
        ProxyFailure(await ResourceSender.toSignIn(open, login: login).failure(error))
    }

    func signIn(_ need: SignInNeed) async throws(ProxyFailure) -> SignInParty {
        await open?.forgetClient()
        do throws(Failure) { return use(try await performSignIn(ResourceSignIn.Reason(need))) } catch { throw ProxyFailure(error) }
    }

    func hasOtherSignIn(for need: SignInNeed) async -> Bool {
        guard let found = try? await ResourceSignIn(ResourceSignIn.Reason(need), account, loopback).outcomeOfOthers() else { return false }
        _ = use(found)
        return true
    }

    /// Waits until all token requests have finished.
    func finish() async { await open?.session.finish() }

    private func use(_ signIn: ResourceSignIn.Outcome) -> SignInParty {
        (label, open) = (signIn.label, nil)
        return signIn.isOwn ? .this : .other
    }

    private func current() async throws(Failure) -> SignedInAccount? {
        guard isUsed else { return nil }
        if let open { return open }
        let used = label
        let opened: SignedInAccount
        do throws(Failure) {
            opened = try await SignedInAccount.open(used.map { account.naming($0) } ?? account)
        } catch {
            guard error.exit == .signInNeeded else { throw error }
            return nil
        }
        guard let target = RequestTarget(url), let origin = Origin(target), opened.settings.sendsToken(to: origin, path: target.path) else {
            return nil
        }
        // All requests share one session. Someone may have signed in since.
        if open == nil, used == label { open = opened }
        return open ?? opened
    }
}

extension ResourceSignIn.Reason {
    fileprivate init(_ need: SignInNeed) { self.init(url: need.url, challenge: need.challenge, rejected: need.rejected) }
}

extension ProxyFailure {
    fileprivate init(_ failure: Failure) {
        self.init(failure.code, failure.message, hint: failure.hint)
        (page, underlying) = (failure.page, failure)
    }
}

extension Failure {
    init(_ failure: ProxyFailure) {
        let exit: ExitStatus = ["unreachable": .unreachable, "denied": .denied][failure.code] ?? .failed
        self = failure.underlying as? Failure ?? Failure(failure.code, exit, failure.message, hint: failure.hint)
    }
}
