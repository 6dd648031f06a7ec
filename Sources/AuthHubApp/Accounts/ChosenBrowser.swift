import WebAuthentication

/// An authenticator that shows each page in the browser that the user has chosen by then, because a session has a single authenticator.
struct ChosenBrowser: WebAuthenticator {
    let browsers: Browsers
    let desk: SignInDesk

    var capabilities: WebAuthenticationCapabilities { browsers.shared.capabilities }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        ObservedAttempt(attempt: try await browser(for: callback.kind).prepare(callback), desk: desk)
    }

    /// Returns whether the chosen browser reports that its window was closed.
    @MainActor func noticesClosedPage(for callback: CallbackMethod.Kind) -> Bool {
        browser(for: callback).capabilities.knowsCancel
    }

    @MainActor private func browser(for callback: CallbackMethod.Kind) -> any WebAuthenticator {
        let isEphemeral = desk.usesEphemeralBrowser
        guard callback == .pinPage else { return isEphemeral ? browsers.ephemeral : browsers.shared }
        let pasting = (isEphemeral ? browsers.ephemeralPasting : nil) ?? browsers.pasting
        return pasting { [desk] problem in await desk.ask(problem) }
    }
}
