import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Synchronization
import WebAuthentication

/// The attempt that shows the page of a sign-in, once it exists. The sign-in sets it without waiting for the engine.
final class ShownPage: Sendable {
    let attempt = Mutex<(any WebAuthenticationAttempt)?>(nil)
}

extension SessionEngine {
    /// The steps of a sign-in that needs no page.
    ///
    /// - Parameter mayStore: Returns whether the tokens may still be stored.
    private typealias Finish =
        @Sendable (_ flow: SignInFlow, _ mayStore: @escaping @Sendable () async -> Bool) async throws(SessionError) -> (
            Credential, CredentialVersion
        )

    func finishSignIn(_ callback: AuthorizationCallback) async -> Result<Void, SessionError> {
        await finish { flow, mayStore throws(SessionError) in try await flow.finish(callback, mayStore: mayStore) }
    }

    func adopt(_ tokens: AdoptedTokens) async -> Result<Void, SessionError> {
        await finish { flow, mayStore throws(SessionError) in try await flow.adopt(tokens, mayStore: mayStore) }
    }

    /// Stores the tokens of a sign-in that needs no page. Runs concurrently with the machine's own activity, so it does not have to wait
    /// for a page that is shown at the time. Cancelling the caller's task does not cancel it.
    private func finish(_ work: @escaping Finish) async -> Result<Void, SessionError> {
        guard machine.state != .signingOut else { return .failure(.signedOutMeanwhile) }
        let epoch = machine.epoch
        let id = newSignIn()
        let finishing = Task { await runFinish(id, work, in: epoch) }
        await run(signIn: id) {
            guard case .success(let (credential, version)) = await finishing.value else { return nil }
            return .signInFinished(credential, version, epoch: epoch)
        }.value
        guard case .success = await finishing.value, !isCurrent(epoch) else { return await finishing.value.map { _ in } }
        return .failure(.signedOutMeanwhile)
    }

    @concurrent
    func runSignIn(
        _ id: UInt64, _ want: SignInFlow.Want, for need: SignInNeed, on page: ShownPage, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(
                try await signInFlow.run(
                    want, for: need, watch: watch(id, page), mayExchange: { await self.mayExchange(in: epoch) },
                    mayStore: { await self.mayStore(id, in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private func runFinish(
        _ id: UInt64, _ work: Finish, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do throws(SessionError) {
            return .success(try await work(signInFlow, { await self.mayStore(id, in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated func watch(_ id: UInt64, _ page: ShownPage) -> SignInWatch {
        SignInWatch { attempt in
            page.attempt.withLock { $0 = attempt }
        } ignored: { [weak self] callbacks in
            Task { await self?.ignored(callbacks, by: id) }
        }
    }

    private func ignored(_ callbacks: IgnoredCallbacks, by id: UInt64) {
        guard id == machineSignIn, machine.activity == .signingIn, let explanation = callbacks.explanation else { return }
        machine.notice = SessionState.Notice(explanation: explanation, hasForeignResponse: callbacks.foreignResponses > 0)
        snapshot.update(machine.situation)
    }

    /// Shows the page of the running sign-in again.
    func showPageAgain() async -> Result<Void, SessionError> {
        guard machine.activity == .signingIn, let page = shownPage else { return .success(()) }
        do throws(WebAuthenticationError) {
            return .success(try await page.showAgain())
        } catch {
            return .failure(SessionError(error))
        }
    }

    private func mayExchange(in epoch: UInt64) -> Bool {
        feed(.codeReceived(epoch: epoch))
        return isCurrent(epoch) && machine.activity == .exchanging
    }
}
