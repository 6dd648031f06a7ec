import AuthHub

/// What the person does.
extension AccountModel {
    /// Reads what is stored, so that a person who is signed in sees their things.
    func restore() async {
        guard attempt == nil, departure == nil else { return }
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

    /// Shows the sign-in page. One that is under way is joined.
    func signIn() {
        guard attempt == nil, departure == nil else { return }
        (problem, isLeaving) = (nil, false)
        isHeldBack = true
        attempt = OwnedTask { [weak self, session] in
            var failure: SessionError?
            do throws(SessionError) {
                try await session.signIn()
            } catch {
                failure = error
            }
            self?.attemptEnded(failure)
        }
    }

    private func attemptEnded(_ failure: SessionError?) {
        attempt = nil
        // What ends a sign-in of nobody is in the session's state.
        if let failure, failure.code != .cancelledByProgram, !session.state.isSignedOut {
            problem = AppProblem(failure, at: provider.name, isSignedIn: session.state.generation != nil)
        }
        follow()
    }

    /// Closes the sign-in page.
    func cancelSignIn() { attempt?.cancel() }

    /// Forgets the tokens, and has them revoked. One that is under way is joined.
    func signOut() async {
        if departure == nil {
            attempt?.cancel()
            attempt = nil
            end(keepingContent: false)
            problem = nil
            departure = Task { [weak self, session] in
                let report = await session.signOut()
                self?.departed(report)
            }
        }
        await departure?.value
    }

    private func departed(_ report: SignOutReport) {
        departure = nil
        isLeaving = !report.isSignedOut
        problem = AppProblem(report, at: provider.name)
        follow()
    }

    /// Does again what went wrong.
    func tryAgain() async {
        if isLeaving { return await signOut() }
        guard case .signedIn(let facts) = session.state else { return await restore() }
        // How it ends is in the session's state.
        if facts.problem != nil { try? await session.refresh() }
        confirm()
        await arrival?.end()
    }

    /// Ends what nobody waits for.
    func stop() {
        attempt?.cancel()
        arrival?.cancel()
        (arrival, asked) = (nil, nil)
        if case .repositories(let model) = content { model.stop() }
    }

    /// Waits for what must not be lost.
    func finish() async {
        await departure?.value
        await session.finish()
    }
}
