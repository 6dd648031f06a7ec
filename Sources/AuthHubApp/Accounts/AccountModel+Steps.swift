import AuthHub
import WebAuthentication

/// The actions of the user.
extension AccountModel {
    /// Reads the store, so that a signed-in user sees their content.
    func restore() async {
        guard signInTask == nil, signOutTask == nil else { return }
        if session.state.generation != nil { return await tryAgain() }
        (problem, isRestoring) = (nil, true)
        do throws(SessionError) {
            try await session.restore()
        } catch {
            if error.code != .cancelledByProgram { problem = AppProblem(error, at: provider.name, isSignedIn: true) }
        }
        isRestoring = false
        follow()
    }

    /// Shows the sign-in page, or joins a sign-in in progress.
    func signIn() {
        guard signInTask == nil, signOutTask == nil else { return }
        (problem, signOutIsUnfinished) = (nil, false)
        hidesContent = true
        page = SignInPage(
            isFollowed: browser.noticesClosedPage(for: CallbackMethod(provider.client.redirectURI, at: provider.profile).kind))
        if !page.isFollowed { remind() }
        signInCount += 1
        signInTask = OwnedTask { [weak self, session, number = signInCount] in
            var failure: SessionError?
            do throws(SessionError) {
                try await session.signIn()
            } catch {
                failure = error
            }
            self?.signInEnded(failure, number: number)
        }
    }

    private func remind() {
        reminder = OwnedTask { [weak self, clock = dependencies.clock] in
            if (try? await clock.sleep(for: SignInPage.patience)) != nil { self?.page.isSlow = true }
        }
    }

    /// Shows the sign-in page again, for a user who has closed it.
    func openPageAgain() async {
        page.problem = nil
        do throws(SessionError) {
            try await session.showSignInPageAgain()
        } catch {
            page.problem = sentence(error.explanation)
        }
    }

    private func signInEnded(_ failure: SessionError?, number: Int) {
        // A sign-out ended this sign-in, and the next one may be in progress.
        guard number == signInCount else { return }
        (signInTask, reminder) = (nil, nil)
        // If no one is signed in, the session's state has the reason for the failed sign-in.
        if let failure, failure.code != .cancelledByProgram, !session.state.isSignedOut {
            problem = AppProblem(failure, at: provider.name, isSignedIn: session.state.generation != nil)
        }
        follow()
    }

    /// Finishes the sign-in that is waiting for this callback.
    ///
    /// - Returns: A problem if no sign-in at this service is waiting for the callback; nil if one was, whatever its result.
    func finishSignIn(with callback: String) async -> AppProblem? {
        do throws(SessionError) {
            try await session.finishSignIn(with: callback)
            problem = nil
        } catch {
            let problem = AppProblem(error, at: provider.name, isSignedIn: session.state.generation != nil)
            if error.code == .securityCheckFailed { return problem }
            self.problem = problem
        }
        follow()
        return nil
    }

    /// Closes the sign-in page.
    func cancelSignIn() { signInTask?.cancel() }

    /// Deletes the tokens here and revokes them, or joins a sign-out in progress.
    ///
    /// - Parameter atProvider: Whether to show the service's log-out page afterwards, which also ends the browser's session there.
    func signOut(atProvider: Bool = false) async {
        if signOutTask == nil {
            signInTask?.cancel()
            (signInTask, reminder) = (nil, nil)
            end(keepingContent: false)
            problem = nil
            signOutTask = Task { [weak self, session] in
                let report = await session.signOut()
                self?.signOutEnded(report)
            }
        }
        await signOutTask?.value
        if atProvider, !signOutIsUnfinished { await showLogoutPage() }
    }

    private func showLogoutPage() async {
        guard let page = provider.logoutPage else { return }
        do throws(WebAuthenticationError) {
            try await pageOpener.open(page)
        } catch {
            if problem == nil { problem = .noLogoutPage(page, of: provider.name) }
        }
    }

    private func signOutEnded(_ report: SignOutReport) {
        signOutTask = nil
        signOutIsUnfinished = !report.isSignedOut
        problem = AppProblem(report, at: provider.name)
        follow()
    }

    /// Retries what failed.
    func tryAgain() async {
        if signOutIsUnfinished { return await signOut() }
        guard case .signedIn(let facts) = session.state else { return await restore() }
        // The result is in the session's state.
        if facts.problem != nil { try? await session.refresh() }
        confirm()
        await personQuestion?.end()
    }

    /// Cancels work that is no longer needed.
    func stop() {
        signInTask?.cancel()
        personQuestion?.cancel()
        (personQuestion, asked) = (nil, nil)
        if case .repositories(let model) = content { model.stop() }
    }

    /// Waits for work whose result must not be lost.
    func finish() async {
        await signOutTask?.value
        await session.finish()
    }
}
