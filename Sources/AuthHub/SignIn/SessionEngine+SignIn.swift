import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import WebAuthentication

extension SessionEngine {
    /// A sign-in whose page asks for all of the need, beside what is granted already.
    ///
    /// Where a page that asks for less is being shown, this comes after it; one that is being closed leads to no other first.
    func stepUp(_ need: StepUpRequirement) async -> Result<HeldCredential, SessionError> {
        while machine.isSigningIn, !needs.asked.covers(need) {
            let isClosing = machine.isCancellingSignIn
            if case .failure(let error) = await wait(for: isClosing ? .knowledge : .signIn), !isClosing || Task.isCancelled {
                return .failure(error)
            }
        }
        let id = needs.add(need)
        defer { needs.remove(id) }
        return await wait(for: .signIn)
    }

    /// Another credential than the one that was refused, if need be by asking the person; but not twice for the same one.
    ///
    /// - Parameter held: The refused credential; nil where there was none yet.
    func signInAgain(refused held: HeldCredential?) async -> Result<HeldCredential, SessionError> {
        let generation = held?.generation
        if let generation, needs.declined == generation {
            return .failure(SessionError(.signInNeeded, "the user declined to sign in again"))
        }
        needs.refused = generation
        let isHeld = generation != nil && machine.held?.generation == generation
        return await wait(for: isHeld ? .signIn : .credential(refused: generation, mayInteract: true), insteadOf: held)
    }

    /// Runs beside the machine's own activity: a page that is shown meanwhile need not be waited for.
    func finishSignIn(_ callback: Secret<String>) async -> Result<Void, SessionError> {
        guard machine.state != .signingOut else { return .failure(.signedOutMeanwhile) }
        let epoch = machine.epoch
        let id = newSignIn()
        let finishing = Task { await runFinish(id, callback, in: epoch) }
        await run(signIn: id) {
            guard case .success(let (credential, version)) = await finishing.value else { return nil }
            return .signInFinished(credential, version, epoch: epoch)
        }.value
        guard case .success = await finishing.value, !isCurrent(epoch) else { return await finishing.value.map { _ in } }
        return .failure(.signedOutMeanwhile)
    }

    @concurrent
    func runSignIn(
        _ id: UInt64, _ want: SignInFlow.Want, for need: StepUpRequirement, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(
                try await signInFlow.run(
                    want, for: need, watch: watch(id), mayExchange: { await self.mayExchange(in: epoch) },
                    isWanted: { await self.mayStore(id, in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private func runFinish(
        _ id: UInt64, _ callback: Secret<String>, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(try await signInFlow.finish(callback, isWanted: { await self.mayStore(id, in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated func watch(_ id: UInt64) -> SignInWatch {
        SignInWatch { [weak self] attempt in
            await self?.shows(attempt, by: id)
        } ignored: { [weak self] callbacks in
            Task { await self?.ignored(callbacks, by: id) }
        }
    }

    private func shows(_ attempt: any WebAuthenticationAttempt, by id: UInt64) {
        if id == machineSignIn { page = attempt }
    }

    private func ignored(_ callbacks: IgnoredCallbacks, by id: UInt64) {
        guard id == machineSignIn, machine.activity == .signingIn, let explanation = callbacks.explanation else { return }
        machine.notice = SessionState.Notice(explanation: explanation, hasForeignResponse: callbacks.foreignResponses > 0)
        snapshot.update(machine.situation)
    }

    /// Shows the page of the sign-in that is under way once more.
    func showPageAgain() async -> Result<Void, SessionError> {
        guard machine.activity == .signingIn, let page else { return .success(()) }
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
